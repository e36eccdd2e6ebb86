import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  type AclOperationLabel,
  AclOperations,
  AclPermissionTypes,
  ResourcePatternTypes,
  ResourceTypes,
} from '@platformatic/kafka'
import { freePorts } from '../../../scripts/engines/free-ports.ts'
import { engineFor, ownEngine, startKafka } from '../../../test/engines.ts'
import { NetworkProxy } from '../../../test/fleet/faults/network-proxy.ts'
import { systemClock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import { checkKafka } from './check.ts'
import { type KafkaConfig, kafkaConfig } from './config.ts'
import { connectKafka, type Kafka } from './connect.ts'
import { GroupReader } from './group-reader.ts'
import { Outbox } from './outbox.ts'
import { ensureTopics, removeTopics } from './topics.ts'

const clock = systemClock()
const saying = (words: RegExp) => (error: unknown) => error instanceof UsageError && words.test(error.message)

/** A broker that knows four users, of whom `stranger` may do nothing, and `writer` what it is allowed later on. */
const guarded = [
  'listener.security.protocol.map=PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
  'sasl.enabled.mechanisms=PLAIN',
  'sasl.mechanism.inter.broker.protocol=PLAIN',
  'listener.name.plaintext.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required ' +
    'username="broker" password="b" user_broker="b" user_crawler="c" user_stranger="s" user_writer="w";',
  'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'super.users=User:broker;User:crawler;User:ANONYMOUS',
  'group.min.session.timeout.ms=1000',
]

test('a broker that guards itself, fails in many ways, and stays away', async (t) => {
  const [port] = await freePorts(1)
  await using network = await NetworkProxy.start({ target: `127.0.0.1:${port}` })
  const settings = [...guarded, `advertised.listeners=PLAINTEXT://${network.address}`]
  const broker = await ownEngine(t, () => startKafka({ port: port!, settings }))
  if (!broker) return
  await using _ = broker
  const settingsOf = (user: string, password: string) =>
    kafkaConfig.parse({ brokers: [network.address], saslMechanism: 'PLAIN', user, password, sessionTimeoutMs: 2000 })

  await t.test('a wrong password is told in one sentence', async () => {
    await assert.rejects(
      connectKafka(settingsOf('crawler', 'x')),
      saying(/^Kafka at .* refuses user or password .*\.$/),
    )
  })

  await t.test('so is one that was forgotten', async () => {
    const config = kafkaConfig.parse({ brokers: [network.address] })
    await assert.rejects(connectKafka(config), saying(/^Kafka at .* cannot be used: .*\.$/))
  })

  await t.test('a user who may not use topics is told what to allow', async () => {
    await using kafka = await connectKafka(settingsOf('stranger', 's'))
    await assert.rejects(
      ensureTopics(kafka, [{ name: 'orbweaver.x', partitions: 1 }]),
      saying(/may not use its topics \(allow/),
    )
  })

  await t.test('a check does all that a crawl will do, and tells who may not', async () => {
    await using kafka = await connectKafka(settingsOf('crawler', 'c'))
    await checkKafka(kafka, clock)
    assert.deepEqual(await checkKafka(kafka, clock), { mayRemove: true })
    await using stranger = await connectKafka(settingsOf('stranger', 's'))
    await assert.rejects(checkKafka(stranger, clock), saying(/may not/))
  })

  await t.test('a user who may not delete is told so, and can do all the rest', async () => {
    await using crawler = await connectKafka(settingsOf('crawler', 'c'))
    await allow(crawler, 'writer', ['READ', 'WRITE', 'CREATE', 'DESCRIBE'])
    await using writer = await connectKafka(settingsOf('writer', 'w'))
    assert.deepEqual(await checkKafka(writer, clock), { mayRemove: false })
    await ensureTopics(writer, [{ name: 'orbweaver.kept', partitions: 1 }])
    assert.deepEqual(await removeTopics(writer, ['orbweaver.kept'], clock), ['orbweaver.kept'])
    assert.deepEqual(await removeTopics(crawler, ['orbweaver.kept', 'orbweaver.never'], clock), [])
  })

  await t.test('a password can come from a file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'orbweaver-kafka-')), 'password')
    writeFileSync(file, 'c\n')
    await using kafka = await connectKafka({ ...settingsOf('crawler', ''), passwordFile: file })
    assert.equal(kafka.config.user, 'crawler')
  })

  await t.test('more copies than there are brokers cannot be had', async () => {
    await using kafka = await connectKafka({ ...settingsOf('crawler', 'c'), replicationFactor: 3 })
    await assert.rejects(
      ensureTopics(kafka, [{ name: 'orbweaver.copies', partitions: 1 }]),
      saying(/fewer brokers than engines.kafka.replicationFactor/),
    )
  })

  const traffic = (name: string) => startTraffic(settingsOf('crawler', 'c'), name)

  await t.test('connections that break again and again lose nothing', async () => {
    await using running = await traffic('orbweaver.cut')
    for (let n = 0; n < 10; n++) {
      running.send(20)
      await clock.sleep(60)
      network.cut()
    }
    await running.allArrived(200)
  })

  await t.test('answers that are lost after the broker has acted lose nothing', async () => {
    await using running = await traffic('orbweaver.lost')
    network.set({ kind: 'lossy', share: 0.2 })
    for (let n = 0; n < 10; n++) {
      running.send(20)
      await clock.sleep(100)
    }
    network.set({ kind: 'pass' })
    await running.allArrived(200)
  })

  await t.test('while the network is down a member owns nothing, when it is back it goes on', async () => {
    await using running = await traffic('orbweaver.down')
    network.set({ kind: 'refuse' })
    running.send(50)
    await running.until(() => running.owned === 0)
    network.set({ kind: 'pass' })
    running.send(50)
    await running.allArrived(100)
    assert.equal(running.owned, 2)
  })

  await t.test('a broker that stands still for a while is waited for', async () => {
    await using running = await traffic('orbweaver.still')
    process.kill(broker.pid, 'SIGSTOP')
    running.send(50)
    await clock.sleep(3000)
    process.kill(broker.pid, 'SIGCONT')
    await running.allArrived(50)
  })

  await t.test('writers and readers go on after it was killed; nothing is lost', async () => {
    await using running = await traffic('orbweaver.kill')
    running.send(50)
    await broker.kill()
    running.send(50)
    await broker.restart()
    running.send(50)
    await running.allArrived(150)
    assert.equal(running.owned, 2)
  })

  await t.test('when it stays away, writing fails with one sentence', async () => {
    await using kafka = await connectKafka({ ...settingsOf('crawler', 'c'), patienceMs: 600 })
    await ensureTopics(kafka, [{ name: 'orbweaver.away', partitions: 1 }])
    await using outbox = new Outbox(kafka, clock)
    await broker.kill()
    const sent = outbox.send([{ topic: 'orbweaver.away', partition: 0, key: 'k', value: 'v' }])
    await assert.rejects(sent, /^Error: Kafka at 127.0.0.1:\d+ cannot be used: no broker answers .*\.$/)
    await assert.rejects(outbox.flush(), /cannot be used/)
  })
})

/** Somebody who sends and somebody who reads, on a topic with two partitions. */
async function startTraffic(config: KafkaConfig, topic: string) {
  await using stack = new AsyncDisposableStack()
  const kafka = stack.use(await connectKafka(config))
  const partitions = await ensureTopics(kafka, [{ name: topic, partitions: 2 }])
  const outbox = stack.use(new Outbox(kafka, clock))
  const reader = stack.use(await GroupReader.open({ kafka, group: topic, partitions, clock }))
  const seen = new Set<string>()
  const ending = new AbortController()
  const reading = readAll(reader, topic, seen, ending.signal)
  stack.defer(async () => {
    ending.abort()
    await reading
  })
  const opened = stack.move()
  let sent = 0
  const until = async (condition: () => boolean | Promise<boolean>) => {
    for (const deadline = clock.now() + 30_000; !(await condition()); await clock.sleep(10))
      assert.ok(clock.now() < deadline, `not in 30 s: ${seen.size} of ${sent} arrived`)
  }
  return {
    until,
    get owned() {
      return reader.owned(topic).length
    },
    send(count: number) {
      const values = Array.from({ length: count }, () => `${sent++}`)
      outbox.post(values.map((value) => ({ topic, partition: Number(value) % 2, key: 'k', value })))
    },
    /** Read, and acknowledged. */
    async allArrived(count: number) {
      await outbox.flush()
      await until(async () => (await reader.lag()).waiting === 0)
      assert.equal(seen.size, count)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function readAll(reader: GroupReader, topic: string, seen: Set<string>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const letters = reader.take(topic, 10)
    for (const { value } of letters) seen.add(value)
    reader.handled(letters)
    if (letters.length === 0) await reader.changed(signal)
  }
}

test('where nobody listens, that is told', async () => {
  const config = kafkaConfig.parse({ brokers: ['127.0.0.1:9'] })
  await assert.rejects(connectKafka(config), saying(/^Kafka at 127.0.0.1:9 cannot be used: no broker answers .*\.$/))
})

test('settings that cannot be are told before anything starts', async () => {
  await assert.rejects(connectKafka(kafkaConfig.parse({})), saying(/engines.kafka.brokers/))
  await assert.rejects(connectKafka(kafkaConfig.parse({ brokers: ['::'] })), saying(/is no host and port/))
  const missing = kafkaConfig.parse({ brokers: ['127.0.0.1:9'], caFile: '/nowhere/ca.pem' })
  await assert.rejects(connectKafka(missing), saying(/engines.kafka.caFile/))
})

const shared = engineFor('kafka')

test('a topic with fewer partitions than configured is used as it was found', {
  skip: shared.skip ?? false,
}, async () => {
  await using kafka = await connectKafka(kafkaConfig.parse({ brokers: shared.url!.split(',') }))
  const name = `test-topics.${Math.random().toString(36).slice(2)}`
  await ensureTopics(kafka, [{ name, partitions: 3 }])
  assert.deepEqual(await ensureTopics(kafka, [{ name, partitions: 7 }]), new Map([[name, 3]]))
})

test('workers that open a crawl at the same time do not mind', { skip: shared.skip ?? false }, async () => {
  await using kafka = await connectKafka(kafkaConfig.parse({ brokers: shared.url!.split(',') }))
  const base = `test-topics.${Math.random().toString(36).slice(2)}`
  const plans = ['a', 'b'].map((rest) => ({ name: `${base}.${rest}`, partitions: 2 }))
  const counts = await Promise.all(Array.from({ length: 4 }, () => ensureTopics(kafka, plans)))
  for (const found of counts) assert.deepEqual([...found.values()], [2, 2])
})

/** Operations on topics and groups of the prefix. */
async function allow({ admin, config }: Kafka, user: string, operations: readonly AclOperationLabel[]): Promise<void> {
  const creations = (['TOPIC', 'GROUP'] as const).flatMap((kind) =>
    operations.map((operation) => ({
      resourceType: ResourceTypes[kind],
      resourceName: config.prefix,
      resourcePatternType: ResourcePatternTypes.PREFIXED,
      principal: `User:${user}`,
      host: '*',
      operation: AclOperations[operation],
      permissionType: AclPermissionTypes.ALLOW,
    })),
  )
  await admin.createAcls({ creations })
}
