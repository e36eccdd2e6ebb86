import { systemClock } from '../../../clock.ts'
import { kafkaConfig } from '../../../engines/kafka/config.ts'
import { connectKafka } from '../../../engines/kafka/connect.ts'
import { loadFingerprint } from '../../../url/keys.ts'
import { openKafkaStream } from './kafka-stream.ts'

// A worker of its own process, to be killed: takes pages and acknowledges none. Says when it has as many as it was asked for.
const [config, crawl, count] = process.argv.slice(2) as [string, string, string]
const kafka = await connectKafka(kafkaConfig.parse(JSON.parse(config)))
const stream = await openKafkaStream({ kafka, crawl, clock: systemClock(), hash: await loadFingerprint() })
let begun = 0
const handle = () => {
  if (++begun === Number(count)) process.send?.('full')
  return new Promise<void>(() => {})
}
await stream.take(handle, { atOnce: Number(count), signal: new AbortController().signal })
