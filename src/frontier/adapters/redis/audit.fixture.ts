import assert from 'node:assert/strict'
import type { HostKey } from '../../../url/keys.ts'
import { bands } from '../../bands.ts'
import type { Band } from '../../frontier.ts'
import { unpackEntry } from './entry.ts'
import type { RedisFrontierOptions } from './redis-frontier.ts'

/** Everything counted anew from what stands in Redis, in place of the counters that scripts keep. */
export async function audit({ client, shards, crawl }: RedisFrontierOptions): Promise<void> {
  for (let shard = 0; shard < shards.count; shard++) {
    const key = (name: string) => shards.crawlKey(shard, crawl, name)
    const counts = await client.hgetall(key('counts'))
    const of = (name: string) => Number(counts[name] ?? 0)
    const names = await hostsOf(shard)
    const queued: string[] = []
    let ended = 0
    for (const host of names) {
      for (const list of [0, 1, 2, 3]) queued.push(...(await client.lrange(key(`queue:${list}:${host}`), 0, -1)))
      ended += await client.hlen(key(`ended:${host}`))
    }
    for (const band of [1, 2, 3]) queued.push(...(await client.lrange(key(`front:${band}`), 0, -1)))
    queued.push(...(await client.zrange(key('delayed'), 0, '-1')))
    assert.equal(queued.length, of('open'), `open in shard ${shard}`)
    const inBand = Object.groupBy(queued, bandOf)
    for (const band of bands) assert.equal(of(band), inBand[band]?.length ?? 0, `${band} in shard ${shard}`)
    assert.equal(ended, of('excluded') + of('dead'), `ended in shard ${shard}`)
    assert.equal(await seenIn(shard, of('seenBuckets') || 1), of('open') + of('done') + of('excluded') + of('dead'))
    const [noted, having] = [await client.smembers(key('letters')), await hostsWithLetters(shard, names)]
    assert.deepEqual(noted.toSorted(), having.toSorted(), `hosts with dead letters in shard ${shard}`)
    const again = queued.filter((one) => unpackEntry(one.slice(one.lastIndexOf('\t') + 1), '' as HostKey).isRevisit)
    assert.equal(again.length, of('revisiting'), `to be visited again in shard ${shard}`)
    assert.ok(of('leased') >= 0 && of('leased') <= of('open'))
  }

  async function hostsOf(shard: number): Promise<string[]> {
    const buckets = Number((await client.hget(shards.crawlKey(shard, crawl, 'counts'), 'hostBuckets')) ?? 1)
    const keys = Array.from({ length: buckets }, (_, n) => shards.crawlKey(shard, crawl, `hosts:${n}`))
    return (await Promise.all(keys.map((key) => client.hkeys(key)))).flat()
  }

  async function hostsWithLetters(shard: number, names: readonly string[]): Promise<string[]> {
    const having = []
    for (const name of names) {
      const ended = await client.hvals(shards.crawlKey(shard, crawl, `ended:${name}`))
      if (ended.some((text) => text.startsWith('d'))) having.push(name)
    }
    return having
  }

  async function seenIn(shard: number, buckets: number): Promise<number> {
    const keys = Array.from({ length: buckets }, (_, n) => shards.crawlKey(shard, crawl, `seen:${n}`))
    return (await Promise.all(keys.map((key) => client.scard(key)))).reduce((sum, size) => sum + size, 0)
  }
}

/** Of an entry, which may stand behind the name of its host, and there behind a reason. */
const bandOf = (stored: string): Band => unpackEntry(stored.slice(stored.lastIndexOf('\t') + 1), '' as HostKey).priority
