import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Courier } from '../../../engines/redis/courier.ts'
import { somePrefix, testRedises } from '../../../engines/redis/test-redis.ts'
import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import { RedisFrontier } from './redis-frontier.ts'
import { ShardCalls } from './shard-calls.ts'
import { testFleet } from './test-redis-frontier.ts'

for (const { name, skip, connect } of testRedises)
  describe(`${name}: numbers of a crawl`, { skip }, () => {
    test('are added up over its shards, with one in which something is open and one in which something is leased', async (t) => {
      const client = await connect(t)
      const { options } = await testFleet(client, 8, somePrefix())
      const calls = new ShardCalls({ ...options, courier: new Courier({ client }) })
      assert.deepEqual(await calls.numbersOfAll(), {
        ...{ numbers: new Map(), openShard: undefined, leasedShard: undefined },
      })
      const frontier = new RedisFrontier(options)
      const hosts = Array.from({ length: 12 }, (_, n) => `host-${n}.test` as HostKey)
      await frontier.offer(
        hosts.map((host) => ({
          ...{ url: `https://${host}/` as CanonicalUrl, host, band: 'medium' as const },
          ...{ depth: 0, parent: null, redirects: 0 },
        })),
      )
      const [lease] = (await frontier.lease(1, 1)).leases
      await frontier.add({ pages: 2, seconds: 0.5 })
      const { numbers, openShard, leasedShard } = await calls.numbersOfAll()
      const wanted = ['open', 'leased', 'hosts', 'sum:pages', 'sum:seconds'].map((one) => numbers.get(one))
      assert.deepEqual(wanted, [12, 1, 12, 2, 0.5])
      assert.ok(hosts.some((host) => options.shards.of(host) === openShard))
      assert.equal(leasedShard, options.shards.of(lease!.host))
      assert.equal((await calls.numbers(leasedShard!)).get('leased'), 1)
    })
  })
