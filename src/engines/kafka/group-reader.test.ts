import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Consumer, instancesChannel } from '@platformatic/kafka'
import { engineFor } from '../../../test/engines.ts'
import { systemClock } from '../../clock.ts'
import { type KafkaConfig, kafkaConfig } from './config.ts'
import { connectKafka } from './connect.ts'
import { GroupReader } from './group-reader.ts'
import { Outbox } from './outbox.ts'
import { ensureTopics } from './topics.ts'

const engine = engineFor('kafka')
const skip = engine.skip ?? false
const clock = systemClock()

/** A topic of one partition with letters in it, and a way to read it. */
async function setUp(letters: number, more: Partial<KafkaConfig> = {}) {
  await using stack = new AsyncDisposableStack()
  const kafka = stack.use(await connectKafka(kafkaConfig.parse({ brokers: engine.url!.split(','), ...more })))
  const topic = `test-reader.${randomBytes(6).toString('hex')}`
  const partitions = await ensureTopics(kafka, [{ name: topic, partitions: 1 }])
  const outbox = stack.use(new Outbox(kafka, clock))
  const send = (count: number, bytes = 1) =>
    outbox.send(
      Array.from({ length: count }, (_, n) => ({ topic, partition: 0, key: 'k', value: `${n}`.padEnd(bytes, 'x') })),
    )
  await send(letters)
  const opened = stack.move()
  return {
    ...{ kafka, topic, outbox, send },
    open: () => GroupReader.open({ kafka, group: topic, partitions, clock }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function take(reader: GroupReader, topic: string, count: number) {
  const taken = []
  while (taken.length < count) {
    const letters = reader.take(topic, count - taken.length)
    if (letters.length === 0) await reader.changed(AbortSignal.timeout(10_000))
    taken.push(...letters)
  }
  return taken
}

test('what was not handled comes again to whoever reads next, from the first of it on', { skip }, async () => {
  await using traffic = await setUp(10)
  const first = await traffic.open()
  const taken = await take(first, traffic.topic, 10)
  first.handled([...taken.slice(0, 3), ...taken.slice(5)])
  await first[Symbol.asyncDispose]()
  await using second = await traffic.open()
  const again = await take(second, traffic.topic, 7)
  assert.deepEqual(
    again.map(({ offset }) => Number(offset)),
    [3, 4, 5, 6, 7, 8, 9],
  )
})

test('what is not taken is not fetched without end', { skip }, async () => {
  await using traffic = await setUp(0)
  await using reader = await traffic.open()
  for (let n = 0; n < 40; n++) await traffic.send(400, 1000)
  await take(reader, traffic.topic, 1)
  await clock.sleep(300)
  assert.ok(reader.waiting(traffic.topic) < 2000, `${reader.waiting(traffic.topic)} wait`)
  assert.equal((await take(reader, traffic.topic, 15_999)).length, 15_999)
})

test('what was handled long ago is deleted, what was not stays', { skip }, async () => {
  await using traffic = await setUp(100, { keepHandled: 10 })
  const reader = await traffic.open()
  const taken = await take(reader, traffic.topic, 100)
  reader.handled(taken.slice(0, 60))
  await reader[Symbol.asyncDispose]()
  const topics = [{ name: traffic.topic, partitions: [{ partitionIndex: 0, timestamp: -2n }] }]
  const [listed] = await traffic.kafka.admin.listOffsets({ topics })
  assert.equal(listed!.partitions[0]!.offset, 50n)
  await using again = await traffic.open()
  assert.equal((await take(again, traffic.topic, 40))[0]!.offset, 60n)
})

test('a group that was put back by a late commit is set right by the owner', { skip }, async () => {
  await using traffic = await setUp(10)
  const consumers: Consumer[] = []
  const note = (event: unknown) => {
    const { instance } = event as { readonly instance: unknown }
    if (instance instanceof Consumer) consumers.push(instance)
  }
  instancesChannel.subscribe(note)
  await using reader = await traffic.open()
  instancesChannel.unsubscribe(note)
  reader.handled(await take(reader, traffic.topic, 10))
  while ((await reader.lag()).waiting > 0) await clock.sleep(5)
  const put = { topic: traffic.topic, partition: 0, offset: 4n, leaderEpoch: -1 }
  await consumers.find(({ memberId }) => memberId)!.commit({ offsets: [put] })
  while ((await reader.lag()).waiting > 0) await clock.sleep(5)
})

test('a letter larger than the brokers take is told in one sentence', { skip }, async () => {
  await using traffic = await setUp(1)
  await assert.rejects(traffic.send(1, 3_000_000), /a message is larger than it takes/)
})

test('many letters, and large ones, go in batches that the brokers take', { skip }, async () => {
  await using traffic = await setUp(0)
  await traffic.send(30, 200_000)
  assert.ok(traffic.outbox.batches >= 7)
})
