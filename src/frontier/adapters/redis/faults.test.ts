import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { engineFor, ownEngine, startRedis } from '../../../../test/engines.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import { type Relay, relayTo } from '../../../engines/redis/relay.fixture.ts'
import { engineNews } from '../../../monitor/events.ts'
import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import type { Candidate } from '../../frontier.ts'
import { audit } from './audit.fixture.ts'
import { RedisFrontier } from './redis-frontier.ts'
import { connectForTest, testFleet } from './test-redis-frontier.ts'

const engine = engineFor('redis')
const options = { skip: engine.skip ?? false }
const leaseMs = 60_000

const pages = (host: string, count: number) =>
  Array.from({ length: count }, (_, n): Candidate => {
    const url = `https://${host}/${n}` as CanonicalUrl
    return { url, host: host as HostKey, band: 'medium', depth: 0, parent: null, redirects: 0 }
  })

/** A frontier behind a relay, and one that sees what truly happened. */
async function behindRelay(
  body: (
    lossy: RedisFrontier,
    lose: (act: () => Promise<unknown>) => Promise<unknown>,
    sure: RedisFrontier,
    time: { now: number },
    relay: Relay,
  ) => Promise<void>,
) {
  await using relay = await relayTo(engine.url!)
  const [lossyClient, client] = await Promise.all([connectForTest(relay.url), connectForTest(engine.url!)])
  try {
    const fleet = await testFleet(client, 2)
    const lossy = new RedisFrontier({ ...fleet.options, client: lossyClient })
    const lose = async (act: () => Promise<unknown>) => {
      relay.deafen()
      const answer = act()
      await sleep(50)
      relay.cut()
      return answer
    }
    await body(lossy, lose, new RedisFrontier(fleet.options), fleet.time, relay)
    await audit(fleet.options)
  } finally {
    lossyClient.disconnect()
    client.disconnect()
  }
}

test('an offer whose answer was lost is known the second time, and queued once', options, () =>
  behindRelay(async (lossy, lose, sure) => {
    assert.deepEqual(await lose(() => lossy.offer(pages('a.test', 3))), ['known', 'known', 'known'])
    assert.deepEqual(await sure.counts(), { admitted: 3, queued: 3, leased: 0, done: 0, excluded: 0, dead: 0 })
  }),
)

test('leases and renewals count from when they were asked for, however late the answer comes', options, () =>
  behindRelay(async (lossy, _lose, sure, time, relay) => {
    await lossy.offer(pages('a.test', 3))
    /** The answer comes so long after the question. */
    const late = async <T>(ms: number, ask: () => Promise<T>): Promise<T> => {
      relay.hold()
      const answer = ask()
      await sleep(50)
      time.now += ms
      relay.letGo()
      return answer
    }
    const askedAt = time.now
    // Two hosts, so that both shards are asked for one at once: which of them has it is chance.
    const [lease] = (await late(leaseMs - 100, () => lossy.lease(2, 2))).leases
    assert.equal(lease!.expiresAt, askedAt + leaseMs)
    const renewed = await late(leaseMs, () => lossy.renew(lease!, 0))
    assert.ok(renewed !== 'lease-lost')
    assert.equal(renewed.expiresAt, time.now, 'it is over: its holder begins nothing under it')
    const { leases } = await sure.lease(1, 2)
    assert.deepEqual(
      leases.map(({ host }) => host),
      [],
      'the host rests for a gap, since it may have been touched a moment ago',
    )
    assert.equal(await lossy.settle(lease!, [{ url: lease!.requests[0]!.url, kind: 'done' }]), 'lease-lost')
  }),
)

test('a lease whose answer was lost returns by itself', options, () =>
  behindRelay(async (lossy, lose, sure, time) => {
    await lossy.offer(pages('a.test', 3))
    const { leases } = (await lose(() => lossy.lease(5, 5))) as { leases: unknown[] }
    assert.deepEqual(leases, [])
    assert.equal((await sure.counts()).leased, 3)
    time.now += 60_000
    await sure.lease(5, 5)
    time.now += 1000
    assert.equal((await sure.lease(5, 5)).leases[0]!.requests.length, 3)
  }),
)

test('a settlement whose answer was lost counts once', options, () =>
  behindRelay(async (lossy, lose, sure) => {
    await lossy.offer(pages('a.test', 3))
    const [lease] = (await lossy.lease(1, 3)).leases
    const visits = lease!.requests.map(({ url }) => ({ url, kind: 'done', adds: { pages: 1, bytes: 1.5 } }) as const)
    assert.equal(await lose(() => lossy.settle(lease!, visits)), 'settled')
    assert.deepEqual(await sure.sums(), { pages: 3, bytes: 4.5 })
    assert.equal(await lose(() => lossy.release(lease!, { touchedMsAgo: 0, pace: lease!.pace })), 'lease-lost')
    assert.equal((await sure.counts()).done, 3)
    assert.equal(await sure.finished(), true)
  }),
)

test('URLs added by a renewal whose answer was lost are queued when the lease ends', options, () =>
  behindRelay(async (lossy, lose, sure) => {
    await lossy.offer(pages('a.test', 5))
    const [lease] = (await lossy.lease(1, 1)).leases
    await lose(() => lossy.renew(lease!, 2))
    await lossy.release(lease!, { touchedMsAgo: null, pace: lease!.pace })
    assert.deepEqual([(await sure.counts()).queued, (await sure.counts()).leased], [5, 0])
  }),
)

test('an engine that is killed and comes back has everything, and knows no script', async (t) => {
  await using own = await ownEngine(t, () => startRedis({ appendOnly: true }))
  if (!own) return
  const client = await connectForTest(own.url)
  const fleet = await testFleet(client, 2)
  const frontier = new RedisFrontier(fleet.options)
  await frontier.offer(pages('a.test', 3))
  await own.kill()
  const offered = frontier.offer(pages('b.test', 3))
  const counted = frontier.counts()
  await own.restart()
  assert.deepEqual(await offered, ['admitted', 'admitted', 'admitted'])
  assert.ok((await counted).admitted >= 3)
  assert.equal((await frontier.counts()).admitted, 6)
  await audit(fleet.options)
  client.disconnect()
})

test('an engine that stands still for a while holds the frontier up, and nothing else', async (t) => {
  await using own = await ownEngine(t, () => startRedis())
  if (!own) return
  const client = await connectForTest(own.url)
  const frontier = new RedisFrontier((await testFleet(client, 2)).options)
  process.kill(own.pid, 'SIGSTOP')
  const offered = frontier.offer(pages('a.test', 3))
  await sleep(300)
  process.kill(own.pid, 'SIGCONT')
  assert.deepEqual(await offered, ['admitted', 'admitted', 'admitted'])
  client.disconnect()
})

test('an engine that stays away ends the crawl with one sentence', async (t) => {
  await using own = await ownEngine(t, () => startRedis())
  if (!own) return
  const client = await connectForTest(own.url)
  const frontier = new RedisFrontier({ ...(await testFleet(client, 2)).options, patienceMs: 200 })
  await own.kill()
  await assert.rejects(frontier.offer(pages('a.test', 3)), /^Error: Redis could not be used for .* s \(.*\): see to it/)
  client.disconnect()
})

test('an engine that cannot write to its disk is waited for', async (t) => {
  const settings = ['--enable-protected-configs', 'yes', '--save', '3600 1']
  await using own = await ownEngine(t, () => startRedis({ settings }))
  if (!own) return
  const client = await connectForTest(own.url)
  const fleet = await testFleet(client, 1)
  const frontier = new RedisFrontier(fleet.options)
  const told: string[] = []
  using _news = engineNews.listen(({ reason }) => told.push(reason))
  await frontier.offer(pages('a.test', 3))
  const [lease] = (await frontier.lease(1, 3)).leases
  const [, folder] = (await client.config('GET', 'dir')) as string[]
  await savedIn(client, '/proc', 'err')
  await assert.rejects(client.set('x', '1'), /^ReplyError: MISCONF/)
  const settled = frontier.settle(lease!, [{ url: lease!.requests[0]!.url, kind: 'done' }])
  const offered = frontier.offer(pages('b.test', 3))
  await sleep(200)
  await savedIn(client, folder!, 'ok')
  assert.deepEqual([await settled, await offered], ['settled', ['admitted', 'admitted', 'admitted']])
  assert.ok(told.includes('it cannot write to its disk: free some space, see its log'), told.join())
  await audit(fleet.options)
  client.disconnect()
})

/** Has it write a snapshot there; resolves when that has ended so. */
async function savedIn(client: RedisClient, folder: string, status: 'ok' | 'err'): Promise<void> {
  await client.config('SET', 'dir', folder)
  await client.bgsave()
  while (!(await client.info('persistence')).includes(`rdb_last_bgsave_status:${status}`)) await sleep(20)
}

test('an engine without memory takes nothing half, and goes on when it has some', async (t) => {
  await using own = await ownEngine(t, () => startRedis({ settings: ['--maxmemory', '64mb'] }))
  if (!own) return
  const client = await connectForTest(own.url)
  const fleet = await testFleet(client, 1)
  const frontier = new RedisFrontier(fleet.options)
  await frontier.offer(pages('a.test', 3))
  const [lease] = (await frontier.lease(1, 3)).leases
  await client.config('SET', 'maxmemory', '1mb')
  const settled = frontier.settle(lease!, [{ url: lease!.requests[0]!.url, kind: 'done' }])
  const offered = frontier.offer(pages('b.test', 3))
  await sleep(200)
  await audit(fleet.options)
  assert.equal((await client.hget(fleet.options.shards.crawlKey(0, 'test', 'counts'), 'done')) ?? '0', '0')
  await client.config('SET', 'maxmemory', '64mb')
  assert.deepEqual([await settled, await offered], ['settled', ['admitted', 'admitted', 'admitted']])
  await audit(fleet.options)
  client.disconnect()
})
