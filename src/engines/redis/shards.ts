import type { Clock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import type { HostKey } from '../../url/keys.ts'
import type { RedisClient } from './connect.ts'
import { patiently } from './patience.ts'

/**
 * A fleet's keys in Redis are cut into shards by host, fixed for ever. All keys of a shard carry the same hash tag, so
 * that they lie in one slot of a Cluster and one script can touch several of them. What belongs to a crawl has its name
 * behind the tag; what is known of a host (its pace, who holds it) has none, since all crawls of a fleet share it.
 */
export interface Shards {
  readonly count: number
  of(host: HostKey): number
  /** `name` of the shard, shared by all crawls of the fleet. */
  fleetKey(shard: number, name: string): string
  crawlKey(shard: number, crawl: string, name: string): string
}

export function openShards(prefix: string, count: number, hash: (text: string) => number): Shards {
  const tagged = (shard: number) => `${prefix}:{${prefix}:${shard}}`
  return {
    count,
    of: (host) => hash(host) % count,
    fleetKey: (shard, name) => `${tagged(shard)}:${name}`,
    crawlKey: (shard, crawl, name) => `${tagged(shard)}:crawl:${crawl}:${name}`,
  }
}

/**
 * Fixes the number of shards when a fleet is first used, and refuses another one later: hosts would be looked for where
 * they are not, found new, and touched by two workers.
 */
export async function claimShards(client: RedisClient, prefix: string, count: number, clock: Clock): Promise<void> {
  const claimed = await claimFact(client, `${prefix}:shards`, `${count}`, clock)
  const fault = shardsFault(prefix, count, claimed)
  if (fault !== undefined) throw new UsageError(fault)
}

/** `claimed`: what the fleet was begun with, if it was. */
export function shardsFault(prefix: string, count: number, claimed: string | null): string | undefined {
  if (claimed === null || claimed === `${count}`) return undefined
  return `The fleet "${prefix}" was begun with ${claimed} shards: set engines.redis.shards to that, or choose another prefix.`
}

/** Fixes something for ever, if nobody has, and answers what holds. Who finds it writes nothing: a full engine can be read. */
export async function claimFact(client: RedisClient, key: string, value: string, clock: Clock): Promise<string> {
  return patiently(client, clock, async () => {
    const known = await client.get(key)
    if (known !== null) return known
    await client.setnx(key, value)
    return (await client.get(key)) ?? value
  })
}
