import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import { type Kafka, kafkaSentence } from './connect.ts'
import { hasApiId } from './faults.ts'
import { GroupReader } from './group-reader.ts'
import { Outbox } from './outbox.ts'
import { ensureTopics, topicName } from './topics.ts'

/**
 * Does once all that a crawl will do: makes a topic (it stays, for the next time), writes to it, joins a group, reads,
 * commits. What is not allowed, or does not work, is thrown in one sentence. A crawl can do without removing what is old:
 * so it is answered whether it may.
 */
export async function checkKafka(kafka: Kafka, clock: Clock): Promise<{ readonly mayRemove: boolean }> {
  const topic = topicName(kafka.config.prefix, 'check', 'letters')
  await exchangeLetter(kafka, topic, clock)
  return { mayRemove: await mayRemoveFrom(kafka, topic) }
}

/** Removes all that came before the first letter, which is nothing. */
async function mayRemoveFrom({ admin, config }: Kafka, name: string): Promise<boolean> {
  try {
    await admin.deleteRecords({ topics: [{ name, partitions: [{ partition: 0, offset: 0n }] }] })
    return true
  } catch (error) {
    if (hasApiId(error, 'TOPIC_AUTHORIZATION_FAILED')) return false
    throw new UsageError(kafkaSentence(config, error), { cause: error })
  }
}

async function exchangeLetter(kafka: Kafka, topic: string, clock: Clock): Promise<void> {
  const value = randomUUID()
  const hurried: Kafka = { ...kafka, config: { ...kafka.config, patienceMs: checkPatienceMs } }
  const partitions = await ensureTopics(hurried, [{ name: topic, partitions: 1 }], clock)
  await using outbox = new Outbox(hurried, clock)
  await using reader = await GroupReader.open({ kafka: hurried, group: `${topic}.${value}`, partitions, clock })
  try {
    await outbox.send([{ topic, partition: 0, key: 'check', value }])
    await arrival(reader, topic, value, clock)
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}

/** Nobody waits minutes for a check. */
const checkPatienceMs = 15_000

async function arrival(reader: GroupReader, topic: string, value: string, clock: Clock): Promise<void> {
  const late = new AbortController()
  void clock.sleep(checkPatienceMs, late.signal).then(() => late.abort())
  for (;;) {
    const letters = reader.take(topic, 100)
    reader.handled(letters)
    if (letters.some((letter) => letter.value === value)) return late.abort()
    if (late.signal.aborted) throw new Error(`Kafka takes letters, but did not give one back in ${checkPatienceMs} ms.`)
    if (letters.length === 0) await reader.changed(late.signal)
  }
}
