import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engineFor, ownEngine, startRedis } from '../../../../test/engines.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import { Courier } from '../../../engines/redis/courier.ts'
import { connectTo } from '../../../engines/redis/test-redis.ts'
import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import type { Candidate, HostLease, Settled } from '../../frontier.ts'
import { audit } from './audit.fixture.ts'
import { RedisFrontier } from './redis-frontier.ts'
import { connectForTest, testFleet } from './test-redis-frontier.ts'

const engine = engineFor('redis')
const hosts = Array.from({ length: 12 }, (_, n) => `host-${n}.test` as HostKey)
const pagesOfEach = 8

function pagesOf(host: HostKey): Candidate[] {
  return Array.from({ length: pagesOfEach }, (_, n) => ({
    ...{ url: `https://${host}/${n}` as CanonicalUrl, host, band: 'medium' as const, depth: 1 },
    ...{ parent: null, redirects: 0 },
  }))
}

const done = (lease: HostLease, at: number): Settled => ({
  ...{ url: lease.requests[at]!.url, kind: 'done', adds: { pages: 1, [`of.${lease.host}`]: 1 } },
})

describe('what comes to the frontier in Redis at the same moment', { skip: engine.skip ?? false }, () => {
  let client: RedisClient
  before(async () => {
    client = await connectForTest(engine.url!)
  })
  after(() => client.disconnect())

  async function held(client: RedisClient, shards: number) {
    const { options } = await testFleet(client, shards)
    const courier = new Courier({ client })
    // Two of them, so that what is asked of one host goes in one run of a script, too.
    const [one, other] = [new RedisFrontier({ ...options, courier }), new RedisFrontier({ ...options, courier })]
    await one.offer(hosts.flatMap(pagesOf))
    const { leases } = await one.lease(hosts.length, 4)
    assert.equal(leases.length, hosts.length)
    return { one, other, leases, options, courier }
  }

  for (const shards of [1, 3])
    test(`is as if it came one after the other, in ${shards} shards`, async () => {
      const { one, other, leases, options } = await held(client, shards)
      const stale = leases.map((lease) => ({ ...lease, generation: lease.generation - 1 }))
      const [first, second, refused] = await Promise.all([
        Promise.all(leases.map((lease) => one.settle(lease, [done(lease, 1)]))),
        Promise.all(leases.map((lease) => other.settle(lease, [done(lease, 0), done(lease, 2)]))),
        Promise.all(stale.map((lease) => one.settle(lease, [done(lease, 3)]))),
      ])
      assert.deepEqual(new Set([...first, ...second]), new Set(['settled']))
      assert.deepEqual(new Set(refused), new Set(['lease-lost']))
      await audit(options)
      assert.equal((await one.counts()).done, 3 * hosts.length)

      const renewed = await Promise.all(leases.flatMap((lease) => [one.renew(lease, 1), other.renew(lease, 2)]))
      const urls = renewed.flatMap((lease) => (lease === 'lease-lost' ? [] : lease.requests.map(({ url }) => url)))
      assert.equal(new Set(urls).size, 3 * hosts.length, 'no URL is given twice')
      await audit(options)

      const report = { touchedMsAgo: 0, pace: leases[0]!.pace }
      const further = await Promise.all(
        leases.map((lease, n) => {
          void one.settle(lease, [done(lease, 3)])
          return one.release(lease, report, n % 2 === 0 ? 10 : 0)
        }),
      )
      await audit(options)
      assert.deepEqual(
        further.map((answer) => (typeof answer === 'string' ? answer : answer.requests.length)),
        hosts.map((_, n) => (n % 2 === 0 ? 1 : 'released')),
      )
      const { done: settled, leased, queued } = await one.counts()
      assert.deepEqual([settled, leased, queued], [4 * hosts.length, (4 * hosts.length) / 2, (4 * hosts.length) / 2])
      const sums = await one.sums()
      assert.equal(sums.pages, 4 * hosts.length)
      for (const host of hosts) assert.equal(sums[`of.${host}`], 4)
    })

  test('is read and written together: settlements of a shard cost it less than one command each for counts', async (t) => {
    await using engine = await ownEngine(t, () => startRedis())
    if (!engine) return
    const client = await connectTo(t, engine.url)
    const { one, leases } = await held(client, 1)
    const asked = async () => Number(/cmdstat_hmget:calls=(\d+)/.exec(await client.info('commandstats'))?.[1])
    const before = await asked()
    await Promise.all(leases.map((lease) => one.settle(lease, [done(lease, 0)])))
    const hmgets = (await asked()) - before
    assert.ok(hmgets < leases.length, `${hmgets} for ${leases.length} settlements`)
  })
})
