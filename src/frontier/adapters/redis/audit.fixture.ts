import assert from 'node:assert/strict'
import type { RedisFrontierOptions } from './redis-frontier.ts'

/** Everything counted anew from what stands in Redis, in place of the counters that scripts keep. */
export async function audit({ client, shards, crawl }: RedisFrontierOptions): Promise<void> {
  for (let shard = 0; shard < shards.count; shard++) {
    const key = (name: string) => shards.crawlKey(shard, crawl, name)
    const counts = await client.hgetall(key('counts'))
    const of = (name: string) => Number(counts[name] ?? 0)
    const names = await hostsOf(shard)
    let [queued, ended] = [0, 0]
    for (const host of names) {
      for (const list of [0, 1, 2, 3]) queued += await client.llen(key(`queue:${list}:${host}`))
      ended += await client.hlen(key(`ended:${host}`))
    }
    for (const band of [1, 2, 3]) queued += await client.llen(key(`front:${band}`))
    queued += await client.zcard(key('delayed'))
    assert.equal(queued, of('open'), `open in shard ${shard}`)
    assert.equal(ended, of('excluded') + of('dead'), `ended in shard ${shard}`)
    assert.equal(await seenIn(shard, of('seenBuckets') || 1), of('open') + of('done') + of('excluded') + of('dead'))
    assert.ok(of('leased') >= 0 && of('leased') <= of('open'))
  }

  async function hostsOf(shard: number): Promise<string[]> {
    const buckets = Number((await client.hget(shards.crawlKey(shard, crawl, 'counts'), 'hostBuckets')) ?? 1)
    const keys = Array.from({ length: buckets }, (_, n) => shards.crawlKey(shard, crawl, `hosts:${n}`))
    return (await Promise.all(keys.map((key) => client.hkeys(key)))).flat()
  }

  async function seenIn(shard: number, buckets: number): Promise<number> {
    const keys = Array.from({ length: buckets }, (_, n) => shards.crawlKey(shard, crawl, `seen:${n}`))
    return (await Promise.all(keys.map((key) => client.scard(key)))).reduce((sum, size) => sum + size, 0)
  }
}
