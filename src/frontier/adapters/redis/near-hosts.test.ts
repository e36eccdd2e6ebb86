import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engineFor } from '../../../../test/engines.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import type { Candidate, HostLease } from '../../frontier.ts'
import { RedisFrontier } from './redis-frontier.ts'
import { connectForTest, testFleet } from './test-redis-frontier.ts'

const engine = engineFor('redis')
const shards = 8

const pagesOf = (host: string, count: number) =>
  Array.from(
    { length: count },
    (_, n): Candidate => ({
      ...{ url: `https://${host}/${n}` as CanonicalUrl, host: host as HostKey, band: 'medium' },
      ...{ depth: 0, parent: null, redirects: 0 },
    }),
  )

const report = { touchedMsAgo: null, pace: { gapMs: 1000, burst: 1, connections: 1, failures: 0 } }

async function finish(frontier: RedisFrontier, lease: HostLease, orGoOnWith = 0) {
  const settling = frontier.settle(
    lease,
    lease.requests.map(({ url }) => ({ url, kind: 'done' })),
  )
  const ending = frontier.release(lease, report, orGoOnWith)
  await settling
  return ending
}

describe('hosts are shared out among the workers of a crawl', { skip: engine.skip ?? false }, () => {
  let client: RedisClient
  before(async () => {
    client = await connectForTest(engine.url!)
  })
  after(() => client.disconnect())

  /** Two workers, each with half of the shards; each can be told to care for all or nothing. */
  async function twoWorkers() {
    const { options, time } = await testFleet(client, shards)
    const all = (_: number) => true
    const nears: ((shard: number) => boolean)[] = [(shard) => shard < shards / 2, (shard) => shard >= shards / 2]
    const [one, other] = [0, 1].map((n) => new RedisFrontier({ ...options, isNear: (shard) => nears[n]!(shard) })) as [
      RedisFrontier,
      RedisFrontier,
    ]
    const hosts = Array.from({ length: 40 }, (_, n) => `h${n}.test` as HostKey)
    const isOfOne = (host: HostKey) => options.shards.of(host) < shards / 2
    return { one, other, nears, all, hosts, isOfOne, time }
  }

  test('each leases its own, whoever offered them', async () => {
    const { one, other, hosts, isOfOne } = await twoWorkers()
    await one.offer(hosts.flatMap((host) => pagesOf(host, 1)))
    const [ofOne, ofOther] = [await one.lease(50, 1), await other.lease(50, 1)]
    assert.deepEqual(ofOne.leases.map(({ host }) => host).toSorted(), hosts.filter(isOfOne).toSorted())
    assert.deepEqual(ofOther.leases.map(({ host }) => host).toSorted(), hosts.filter((of) => !isOfOne(of)).toSorted())
  })

  test('what the other does not come for is taken, and kept like one’s own', async () => {
    const { one, hosts, isOfOne, time } = await twoWorkers()
    await one.offer(hosts.flatMap((host) => pagesOf(host, 5)))
    const mine = await one.lease(50, 1)
    assert.equal(mine.leases.length, hosts.filter(isOfOne).length)
    for (let looks = 0; looks < 2; looks++) {
      time.now += 1000
      assert.deepEqual((await one.lease(50, 1)).leases, [], 'the other has a few seconds')
    }
    time.now += 5000
    const borrowed = (await one.lease(50, 1)).leases
    assert.equal(borrowed.length, hosts.length - mine.leases.length)
    const gone = await finish(one, borrowed[0]!, 3)
    assert.equal(typeof gone !== 'string' && gone.requests.length, 3)
    const renewed = await one.renew(borrowed[1]!, 2)
    assert.equal(renewed !== 'lease-lost' && renewed.requests.length, 2)
  })

  test('who held all hosts hands those of a newcomer back when what was begun is done', async () => {
    const { one, other, nears, all, hosts, isOfOne, time } = await twoWorkers()
    const half = nears[0]!
    nears[0] = all
    await one.offer(hosts.flatMap((host) => pagesOf(host, 5)))
    const held = (await one.lease(50, 1)).leases
    assert.equal(held.length, hosts.length)
    nears[0] = half
    const answers = await Promise.all(held.map((lease) => finish(one, lease, 3)))
    assert.deepEqual(
      held.map(({ host }) => host).filter((_, n) => answers[n] === 'released'),
      held.map(({ host }) => host).filter((host) => !isOfOne(host)),
    )
    assert.deepEqual((await one.lease(50, 1)).leases, [], 'nor does it come for them again')
    time.now += 1000
    assert.equal((await other.lease(50, 1)).leases.length, hosts.filter((host) => !isOfOne(host)).length)
  })
})
