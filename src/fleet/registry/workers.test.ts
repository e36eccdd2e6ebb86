import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownEngine, startRedis } from '../../../test/engines.ts'
import { systemClock } from '../../clock.ts'
import { connectTo, somePrefix, testRedises } from '../../engines/redis/test-redis.ts'
import { registryKeys } from './keys.ts'
import { type WorkerCard, workerRegistry } from './workers.ts'

const clock = systemClock()
const quick = { beatMs: 20, lifeMs: 1500, keptMs: 2000 }

const card = (id: string): WorkerCard => ({
  id,
  host: 'box',
  pid: 1,
  region: 'eu',
  role: 'both',
  version: '0',
  startedAt: 5,
})
const noStats = () => ({})

for (const { name, skip, connect } of testRedises)
  describe(`${name}: registry of workers`, { skip }, () => {
    test('a worker is listed with what it tells, until it leaves', async (t) => {
      const workers = workerRegistry(await connect(t), somePrefix(), clock)
      let pages = 1
      const membership = await workers.join(card('w1'), () => ({ pages }))
      pages = 2
      await membership.beat()
      const [entry, ...others] = await workers.list()
      const { silentMs, ...rest } = entry!
      assert.deepEqual(rest, { ...card('w1'), stats: { pages: 2 }, alive: true })
      assert.ok(silentMs >= 0 && silentMs < 10_000)
      assert.deepEqual(others, [])
      await membership.leave()
      assert.deepEqual(await workers.list(), [])
    })

    test('signs of life come by themselves; without them a worker is no longer alive, and later forgotten', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const workers = workerRegistry(client, prefix, clock, undefined, quick)
      const keys = registryKeys(prefix)
      await using _living = await workers.join(card('living'), noStats)
      const dead = await workers.join(card('dead'), noStats)
      await dead.leave()
      const score = await client.zscore(keys.workers, 'living')
      await client.zadd(keys.workers, Number(score) - 1700, 'dead')
      await client.hset(
        keys.workerFacts,
        'dead',
        `${'-'.repeat(36)}${JSON.stringify({ card: card('dead'), stats: {} })}`,
      )
      const before = Object.fromEntries((await workers.list()).map(({ id, alive }) => [id, alive]))
      assert.deepEqual(before, { living: true, dead: false })
      await until(async () => (await workers.list()).length === 1)
      assert.deepEqual(
        (await workers.list()).map(({ id, alive }) => [id, alive]),
        [['living', true]],
      )
      assert.equal(await client.hlen(keys.workerFacts), 1)
    })

    test('an id belongs to one process while it lives', async (t) => {
      const workers = workerRegistry(await connect(t), somePrefix(), clock)
      await using _first = await workers.join(card('w1'), noStats)
      await assert.rejects(workers.join(card('w1'), noStats), {
        name: 'UsageError',
        message: 'A worker "w1" runs already in this fleet: give this one another id.',
      })
    })

    test('a process that was silent too long learns that another has its id, and does not take it off the list', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const workers = workerRegistry(client, prefix, clock, undefined, { ...quick, beatMs: 60_000 })
      const slow = await workers.join(card('w1'), noStats)
      const { workers: key } = registryKeys(prefix)
      await client.zadd(key, Number(await client.zscore(key, 'w1')) - quick.lifeMs, 'w1')
      await using _other = await workers.join(card('w1'), () => ({ mine: 1 }))
      await slow.beat()
      assert.match(String(slow.replaced.reason), /Another process has taken the worker id "w1"/)
      await slow.leave()
      assert.deepEqual(
        (await workers.list()).map(({ stats }) => stats),
        [{ mine: 1 }],
      )
    })

    test('a worker that the engine has forgotten is listed again', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const workers = workerRegistry(client, prefix, clock)
      await using membership = await workers.join(card('w1'), noStats)
      await client.del(registryKeys(prefix).workers, registryKeys(prefix).workerFacts)
      await membership.beat()
      assert.deepEqual(
        (await workers.list()).map(({ id }) => id),
        ['w1'],
      )
    })

    test('more workers than one page holds are all listed', async (t) => {
      const workers = workerRegistry(await connect(t), somePrefix(), clock)
      const ids = Array.from({ length: 230 }, (_, i) => `w${i}`)
      const members = await Promise.all(ids.map((id) => workers.join(card(id), noStats)))
      assert.equal(new Set((await workers.list()).map(({ id }) => id)).size, 230)
      await Promise.all(members.map((member) => member.leave()))
    })

    test('what another version has written is answered with one clear sentence', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const { workers: key, workerFacts } = registryKeys(prefix)
      const workers = workerRegistry(client, prefix, clock)
      await client.zadd(key, Date.now(), 'old')
      await client.hset(workerFacts, 'old', 'what is this')
      await assert.rejects(
        workers.list(),
        /"[^"]+:workers:facts" holds something that this version .* does not understand/,
      )
      await client.set(key, 'x')
      await assert.rejects(workers.join(card('w'), noStats), /holds something that this version/)
    })
  })

test('a worker goes on giving signs of life after its engine was killed and came back', async (t) => {
  await using engine = await ownEngine(t, () => startRedis())
  if (!engine) return
  const workers = workerRegistry(await connectTo(t, engine.url), somePrefix(), clock, undefined, quick)
  await using _member = await workers.join(card('w1'), noStats)
  await engine.kill()
  await engine.restart()
  await until(async () => (await workers.list()).some(({ alive }) => alive))
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = clock.now() + 5000
  while (!(await holds())) {
    assert.ok(clock.now() < deadline)
    await clock.sleep(10)
  }
}
