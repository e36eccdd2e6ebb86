import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { engineFor } from '../../../../test/engines.ts'
import { systemClock } from '../../../clock.ts'
import { kafkaConfig } from '../../../engines/kafka/config.ts'
import { connectKafka } from '../../../engines/kafka/connect.ts'
import { Outbox } from '../../../engines/kafka/outbox.ts'
import { loadFingerprint } from '../../../url/keys.ts'
import { fetchedPage, type StreamUnderTest, streamConformance } from '../../stream.conformance.ts'
import type { Stream } from '../../stream.ts'
import { openKafkaStream } from './kafka-stream.ts'

const engine = engineFor('kafka')
const skip = engine.skip ?? false
const hash = await loadFingerprint()
const clock = systemClock()
const settings = {
  brokers: (engine.url ?? '').split(','),
  prefix: 'test-stream',
  partitions: { pages: 3 },
  sessionTimeoutMs: 6000,
}

streamConformance('kafka', openUnderTest, skip)

async function openUnderTest(): Promise<StreamUnderTest> {
  const kafka = await connectKafka(kafkaConfig.parse(settings))
  const crawl = randomBytes(6).toString('hex')
  const streams: Stream[] = []
  return {
    async open() {
      const stream = await openKafkaStream({ kafka, crawl, clock, hash })
      streams.push(stream)
      return stream
    },
    async dieWith(count) {
      const file = fileURLToPath(new URL('./dying-taker.fixture.ts', import.meta.url))
      const taker = fork(file, [JSON.stringify(settings), crawl, `${count}`])
      await once(taker, 'message')
      taker.kill('SIGKILL')
      await once(taker, 'exit')
    },
    async [Symbol.asyncDispose]() {
      for (const stream of streams) await stream[Symbol.asyncDispose]()
      await kafka[Symbol.asyncDispose]()
    },
  }
}

test('letters that are not ours are passed over', { skip }, async () => {
  await using kafka = await connectKafka(kafkaConfig.parse(settings))
  const crawl = randomBytes(6).toString('hex')
  await using stream = await openKafkaStream({ kafka, crawl, clock, hash })
  await using outbox = new Outbox(kafka, clock)
  const topic = `test-stream.${crawl}.pages`
  for (const value of ['', '{', 'null', '[]', '{"crawl":1}', '{"request":{"url":"http://a.test/"}}'])
    await outbox.send([{ topic, partition: 0, key: 'x', value }])
  await stream.put(fetchedPage('a.test', 1))
  await stream.flush()
  const ending = new AbortController()
  const seen: string[] = []
  const taken = stream.take(async ({ request }) => void seen.push(request.url), { atOnce: 2, signal: ending.signal })
  while ((await stream.lag()).waiting > 0) await clock.sleep(10)
  ending.abort()
  await taken
  assert.deepEqual(seen, ['http://a.test/1'])
})
