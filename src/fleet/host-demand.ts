import { patiently } from '../engines/redis/patience.ts'
import type { Fleet } from './fleet.ts'

/** Work that politeness lets be done now. */
export interface HostDemand {
  /** Hosts that might be touched, and that nobody has taken for a while. */
  readonly waitingHosts: number
  /** How long the first of them has been waiting. */
  readonly oldestWaitMs: number
  readonly heldHosts: number
}

/** Bands and retries, and hosts of near-duplicates: see docs/redis.md. */
const readyLists = [0, 1, 2, 3, 4]
/** Hosts of which one URL is known, and nothing else: they have never been touched. */
const frontLists = [1, 2, 3]

/** Over all these crawls. A few counts in every shard, whatever the number of hosts. */
export async function hostDemand(
  { redis, shards, clock }: Pick<Fleet, 'redis' | 'shards' | 'clock'>,
  crawls: readonly string[],
  graceMs: number,
): Promise<HostDemand> {
  const ask = <T>(question: () => Promise<T>) => patiently(redis, clock, question)
  const [seconds, micros] = await ask(() => redis.time())
  const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
  const all = crawls.flatMap((crawl) => Array.from({ length: shards.count }, (_, shard) => ({ crawl, shard })))
  const keyOf = ({ crawl, shard }: Part, name: string) => shards.crawlKey(shard, crawl, name)
  const marks = await Promise.all(all.map((part) => ask(() => redis.hmget(keyOf(part, 'counts'), 'dueAt', 'leased'))))
  // Most shards say themselves that nothing waits there, or that nobody holds a host of theirs.
  const due = all.filter((_, i) => Number(marks[i]![0]) <= now)
  const keysOf = (name: string, lists: readonly number[]) =>
    due.flatMap((part) => lists.map((list) => keyOf(part, `${name}:${list}`)))
  const ready = keysOf('ready', readyLists)
  const waiting = await Promise.all(ready.map((key) => ask(() => redis.zcount(key, '-inf', now - graceMs))))
  const fresh = await Promise.all(keysOf('front', frontLists).map((key) => ask(() => redis.llen(key))))
  const late = ready.filter((_, i) => waiting[i]! > 0)
  const firsts = await Promise.all(late.map((key) => ask(() => redis.zrange(key, '0', '0', 'WITHSCORES'))))
  const dueAt = firsts.map(([, score]) => Number(score ?? now))
  const leased = all.filter((_, i) => Number(marks[i]![1]) > 0)
  const held = await Promise.all(leased.map((part) => ask(() => redis.zcount(keyOf(part, 'held'), now, '+inf'))))
  return {
    waitingHosts: sumOf(waiting) + sumOf(fresh),
    oldestWaitMs: dueAt.length > 0 ? Math.max(0, now - Math.min(...dueAt)) : 0,
    heldHosts: sumOf(held),
  }
}

interface Part {
  readonly crawl: string
  readonly shard: number
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)
