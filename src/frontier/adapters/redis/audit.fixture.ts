import assert from 'node:assert/strict'
import type { HostKey } from '../../../url/keys.ts'
import { bands } from '../../bands.ts'
import type { Band } from '../../frontier.ts'
import { unpackEntry } from './entry.ts'
import type { RedisFrontierOptions } from './redis-frontier.ts'

/** Everything counted anew from what stands in Redis, in place of the counters that scripts keep. */
export async function audit({ client, shards, crawl, engineTime }: RedisFrontierOptions): Promise<void> {
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
    // Whoever believes the mark misses nothing.
    if (counts.dueAt !== undefined) assert.ok(of('dueAt') <= (await dueIn(key)), `due in shard ${shard}`)
  }

  /** When something may be leased in a shard, by what stands there. */
  async function dueIn(key: (name: string) => string): Promise<number> {
    const fronts = await Promise.all([1, 2, 3].map((band) => client.llen(key(`front:${band}`))))
    const sets = [1, 2, 3, 4].map((place) => `ready:${place}`).concat('delayed', 'held')
    const firsts = await Promise.all(sets.map((name) => client.zrange(key(name), 0, '0', 'WITHSCORES')))
    const moments = firsts.map(([, score]) => Number(score ?? Number.POSITIVE_INFINITY))
    const now = engineTime?.() ?? Date.now()
    return fronts.some((length) => length > 0) ? now : Math.max(now, Math.min(...moments))
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
