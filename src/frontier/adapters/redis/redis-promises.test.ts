import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engineFor } from '../../../../test/engines.ts'
import { type Clock, systemClock } from '../../../clock.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import { frontierConfig } from '../../config.ts'
import type { Candidate, Frontier, HostLease } from '../../frontier.ts'
import { RedisFrontier } from './redis-frontier.ts'
import { connectForTest, testFleet } from './test-redis-frontier.ts'

const engine = engineFor('redis')

function page(url: string, extra: Partial<Candidate> = {}): Candidate {
  const host = new URL(url).host as HostKey
  return { url: url as CanonicalUrl, host, band: 'medium', depth: 0, parent: null, redirects: 0, ...extra }
}

const pagesOf = (host: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => page(`https://${host}/page/${from + n}`))

const leave = (frontier: Frontier, lease: HostLease) => frontier.release(lease, { touchedMsAgo: 0, pace: lease.pace })

async function finish(frontier: Frontier, lease: HostLease): Promise<void> {
  await Promise.all(
    lease.requests.map(({ url }) => frontier.settle(lease, [{ url, kind: 'done', adds: { pages: 1 } }])),
  )
  await leave(frontier, lease)
}

describe('the frontier in Redis', { skip: engine.skip ?? false }, () => {
  let client: RedisClient
  before(async () => {
    client = await connectForTest(engine.url!)
  })
  after(() => client.disconnect())

  test('two crawls of a fleet never hold a host together, and the one that waits comes next', async () => {
    const { options, time } = await testFleet(client, 1)
    const [one, other] = ['one', 'other'].map((crawl) => new RedisFrontier({ ...options, crawl })) as [
      RedisFrontier,
      RedisFrontier,
    ]
    await one.offer(pagesOf('a.test', 5))
    await other.offer(pagesOf('a.test', 5))
    const [held] = (await one.lease(1, 1)).leases
    assert.deepEqual((await other.lease(1, 1)).leases, [])
    await leave(one, held!)
    time.now += 1000
    assert.deepEqual((await one.lease(1, 1)).leases, [], 'it lets the other crawl go first')
    time.now += 1000
    const [next] = (await other.lease(1, 1)).leases
    assert.ok(next!.generation > held!.generation)
    assert.deepEqual((await one.lease(1, 1)).leases, [])
  })

  test('a held host has news from when this process brings URLs to it until it is asked for them', async () => {
    const { options } = await testFleet(client, 1)
    const frontier = new RedisFrontier(options)
    await frontier.offer([...pagesOf('a.test', 2), ...pagesOf('b.test', 1)])
    const { leases } = await frontier.lease(2, 10)
    const [lease, other] = leases.toSorted((a, b) => b.requests.length - a.requests.length)
    assert.deepEqual(
      [lease, other].map((one) => frontier.hasNews(one!)),
      [false, false],
    )
    await frontier.offer(pagesOf(lease!.host, 2))
    assert.equal(frontier.hasNews(lease!), false, 'URLs that were known are none')
    await frontier.offer(pagesOf(lease!.host, 1, 2))
    assert.deepEqual(
      [lease, other].map((one) => frontier.hasNews(one!)),
      [true, false],
    )
    const renewed = await frontier.renew(lease!, 10)
    assert.ok(renewed !== 'lease-lost')
    assert.deepEqual([renewed.requests.length, frontier.hasNews(renewed)], [1, false])
  })

  test('a crawl inherits the pace and the hold that another has learned', async () => {
    const { options, time } = await testFleet(client, 1)
    const [one, other] = ['one', 'other'].map((crawl) => new RedisFrontier({ ...options, crawl })) as [
      RedisFrontier,
      RedisFrontier,
    ]
    await one.offer(pagesOf('a.test', 1))
    const [lease] = (await one.lease(1, 1)).leases
    const hold = { ms: 9_000, reason: 'retry-after' }
    await one.release(lease!, { touchedMsAgo: 0, pace: { ...lease!.pace, gapMs: 4321 }, hold })
    await other.offer(pagesOf('a.test', 1))
    assert.deepEqual((await other.lease(1, 1)).leases, [])
    time.now += 9_000
    assert.equal((await other.lease(1, 1)).leases[0]!.pace.gapMs, 4321)
  })

  test('time is the engine’s: a worker whose clock is wrong by an hour changes nothing', async () => {
    const { engineTime: _, ...options } = (await testFleet(client, 1)).options
    const hourMs = 3_600_000
    const right = systemClock()
    const wrong: Clock = { now: () => right.now() - hourMs, sleep: right.sleep }
    const initialPace = () => ({ gapMs: 200, burst: 1, connections: 1, failures: 0 })
    const [early, exact] = [wrong, right].map((clock) => new RedisFrontier({ ...options, clock, initialPace })) as [
      RedisFrontier,
      RedisFrontier,
    ]
    await early.offer(pagesOf('a.test', 3))
    const askedAt = wrong.now()
    const [lease] = (await early.lease(1, 1)).leases
    assert.ok(Math.abs(lease!.expiresAt - askedAt - options.config.leaseMs) < 5000)
    await leave(early, lease!)
    const releasedAt = performance.now()
    for (let found = 0; found === 0; ) {
      const { leases, nextDueMs } = await exact.lease(1, 1)
      found = leases.length
      if (found > 0) assert.ok(performance.now() - releasedAt + leases[0]!.waitMs >= 190)
      else await right.sleep(Math.min(nextDueMs ?? 20, 20))
    }
  })

  test('what one crawl has seen is new to another', async () => {
    const { options } = await testFleet(client, 1)
    await new RedisFrontier({ ...options, crawl: 'one' }).offer(pagesOf('a.test', 1))
    assert.deepEqual(await new RedisFrontier({ ...options, crawl: 'other' }).offer(pagesOf('a.test', 1)), ['admitted'])
  })

  test('a lease that expired under one crawl is found by another, and its URLs are queued again', async () => {
    const { options, time } = await testFleet(client, 1)
    const [one, other] = ['one', 'other'].map((crawl) => new RedisFrontier({ ...options, crawl })) as [
      RedisFrontier,
      RedisFrontier,
    ]
    await one.offer(pagesOf('a.test', 2))
    await other.offer(pagesOf('a.test', 2))
    const [slept] = (await one.lease(1, 2)).leases
    time.now += options.config.leaseMs
    assert.deepEqual((await other.lease(1, 2)).leases, [], 'it rests, since it may have been touched a moment ago')
    time.now += 1000
    assert.equal((await other.lease(1, 2)).leases.length, 1)
    const { url } = slept!.requests[0]!
    assert.equal(await one.settle(slept!, [{ url, kind: 'done' }]), 'lease-lost')
    await one.lease(1, 1)
    assert.deepEqual(
      [(await one.counts()).queued, (await one.counts()).leased, (await other.counts()).leased],
      [2, 0, 2],
    )
  })

  test('a budget for hosts is exact, though many workers offer at once', async () => {
    const { options } = await testFleet(client, 2)
    const config = frontierConfig.parse({ maxUrlsPerHost: 7 })
    const workers = Array.from({ length: 4 }, () => new RedisFrontier({ ...options, config }))
    const answers = await Promise.all(workers.map((worker, n) => worker.offer(pagesOf('a.test', 5, 5 * n))))
    const all = answers.flat()
    assert.equal(all.filter((answer) => answer === 'admitted').length, 7)
    assert.equal(all.filter((answer) => answer === 'over-budget').length, 13)
    assert.equal((await workers[0]!.counts()).admitted, 20)
  })

  test('a leased batch costs at most two trips, and a page a tenth of one', async () => {
    const { options, time } = await testFleet(client, 64)
    const frontier = new RedisFrontier(options)
    const hosts = Array.from({ length: 200 }, (_, n) => `host-${n}.test`)
    await frontier.offer(hosts.flatMap((host) => pagesOf(host, 10)))
    const before = frontier.traffic.trips
    let visited = 0
    for (let round = 0; visited < 2000; round++) {
      const { leases } = await frontier.lease(50, 10)
      await Promise.all(
        leases.map(async (lease) => {
          // Links that are known, as most are.
          await Promise.all(lease.requests.map(() => frontier.offer(pagesOf(lease.host, 10))))
          await finish(frontier, lease)
        }),
      )
      visited += leases.flatMap(({ requests }) => requests).length
      time.now += 1000
      assert.ok(round < 100)
    }
    const trips = frontier.traffic.trips - before
    assert.ok(trips <= 0.1 * visited, `${trips} trips for ${visited} pages`)
    assert.deepEqual(await frontier.sums(), { pages: 2000 })
    assert.equal(await frontier.finished(), true)

    await frontier.offer(pagesOf('late.test', 5))
    const start = frontier.traffic.trips
    const [lease] = (await frontier.lease(1, 5)).leases
    assert.equal(frontier.traffic.trips - start, 1)
    const visits = lease!.requests.map(({ url }) => ({ url, kind: 'done' }) as const)
    await Promise.all([...visits.map((visit) => frontier.settle(lease!, [visit])), leave(frontier, lease!)])
    assert.equal(frontier.traffic.trips - start, 2)
    assert.equal(await frontier.finished(), true)
  })

  test('a worker with nothing to do asks seldom', async () => {
    const { options, time } = await testFleet(client, 64)
    const frontier = new RedisFrontier(options)
    for (let ms = 0; ms < 60_000; ms += 100) {
      await frontier.lease(50, 10)
      time.now += 100
    }
    assert.ok(frontier.traffic.trips <= 60, `${frontier.traffic.trips} trips in a minute`)
  })

  test('what is under way is seen wherever it is, and no longer when it is over', async () => {
    const { options } = await testFleet(client, 8)
    const [looking, working] = [new RedisFrontier(options), new RedisFrontier(options)]
    assert.equal(await looking.underWay(), 0)
    await working.offer(Array.from({ length: 20 }, (_, n) => page(`https://host-${n}.test/`)))
    const { leases } = await working.lease(20, 1)
    assert.equal(leases.length, 20)
    for (const lease of leases) {
      assert.ok((await looking.underWay()) > 0)
      await finish(working, lease)
    }
    assert.equal(await looking.underWay(), 0)
  })

  test('hosts that others hold are looked for in all shards at once', async () => {
    const { options, time } = await testFleet(client, 64)
    const [idle, busy] = [new RedisFrontier(options), new RedisFrontier(options)]
    for (let n = 0; n < 100; n++) await busy.offer(pagesOf(`held-${n}.test`, 3))
    assert.equal((await busy.lease(200, 1)).leases.length, 100)
    await idle.lease(50, 10)
    const { calls } = idle.traffic
    for (let ms = 0; ms < 20_000; ms += 500) {
      time.now += 500
      await idle.lease(50, 10)
    }
    assert.ok(idle.traffic.calls - calls <= 20, `${idle.traffic.calls - calls} calls in 20 s`)
  })

  test('what another worker has offered is found within seconds', async () => {
    const { options, time } = await testFleet(client, 64)
    const [idle, busy] = [new RedisFrontier(options), new RedisFrontier(options)]
    for (let ms = 0; ms < 60_000; ms += 1000) {
      await idle.lease(50, 10)
      time.now += 1000
    }
    await busy.offer(pagesOf('a.test', 1))
    let waitedMs = 0
    while ((await idle.lease(50, 10)).leases.length === 0) {
      waitedMs += 100
      time.now += 100
      assert.ok(waitedMs <= 5000)
    }
  })

  test('a million-fold host: buckets of seen URLs stay small and none is forgotten', async () => {
    const { options } = await testFleet(client, 1)
    const frontier = new RedisFrontier(options)
    for (let n = 0; n < 6000; n += 500) {
      const batch = pagesOf(`host-${n}.test`, 500, n)
      assert.ok((await frontier.offer(batch)).every((answer) => answer === 'admitted'))
    }
    for (let n = 0; n < 6000; n += 500)
      assert.ok((await new RedisFrontier(options).offer(pagesOf(`host-${n}.test`, 500, n))).every((a) => a === 'known'))
    const key = (name: string) => options.shards.crawlKey(0, options.crawl, name)
    const buckets = Number(await client.hget(key('counts'), 'seenBuckets'))
    const sizes = await Promise.all(Array.from({ length: buckets }, (_, n) => client.scard(key(`seen:${n}`))))
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      6000,
    )
    assert.ok(Math.max(...sizes) < 512)
    for (let n = 0; n < buckets; n++) assert.equal(await client.object('ENCODING', key(`seen:${n}`)), 'intset')
  })

  test('records of many hosts stay in small buckets, and none is forgotten', async () => {
    const { options } = await testFleet(client, 1)
    const frontier = new RedisFrontier(options)
    const hosts = Array.from({ length: 1500 }, (_, n) => `host-${n}.test`)
    for (let n = 0; n < hosts.length; n += 100)
      await frontier.offer(hosts.slice(n, n + 100).map((h) => page(`https://${h}/`)))
    let leased = 0
    for (let found = 1; found > 0; leased += found) found = (await frontier.lease(100, 1)).leases.length
    assert.equal(leased, 1500)
    for (const base of [options.shards.crawlKey(0, options.crawl, 'hosts:0'), options.shards.fleetKey(0, 'hosts:0')])
      assert.equal(await client.object('ENCODING', base), 'listpack')
    await frontier[Symbol.asyncDispose]()
    assert.deepEqual((await frontier.counts()).queued, 1500)
  })
})
