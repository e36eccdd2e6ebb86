import type { Script } from '../../../engines/redis/script.ts'
import type { BandCounts } from '../../bands.ts'
import type { FrontierCounts, Sums } from '../../frontier.ts'
import type { ShardCalls } from './shard-calls.ts'

const urlsInACall = 200
const places = ['1', '2', '3', '4', 'delayed'] as const

/** Sums stand among the counts under such names. */
const sumPrefix = 'sum:'

export interface CountedCrawl {
  readonly counts: FrontierCounts
  /** URLs that are queued or leased; `null`: the crawl began before bands were counted. */
  readonly bands: BandCounts | null
  readonly hosts: number
  /** Queued or leased, to be visited again. */
  readonly revisiting: number
  /** One that has something to visit. */
  readonly openShard: number | undefined
  /** One in which something is leased. */
  readonly leasedShard: number | undefined
}

/** In one trip. */
export async function countsOf(calls: ShardCalls): Promise<CountedCrawl> {
  const { numbers, openShard, leasedShard } = await calls.numbersOfAll()
  const of = (name: string) => numbers.get(name) ?? 0
  const [open, leased, done, excluded, dead] = [of('open'), of('leased'), of('done'), of('excluded'), of('dead')]
  const bands = { high: of('high'), medium: of('medium'), low: of('low') }
  return {
    bands: bands.high + bands.medium + bands.low === open ? bands : null,
    counts: { admitted: open + done + excluded + dead, queued: open - leased, leased, done, excluded, dead },
    hosts: of('hosts'),
    revisiting: of('revisiting'),
    openShard,
    leasedShard,
  }
}

export async function openIn(calls: ShardCalls, shard: number): Promise<number> {
  return (await calls.numbers(shard)).get('open') ?? 0
}

export async function leasedIn(calls: ShardCalls, shard: number): Promise<number> {
  return (await calls.numbers(shard)).get('leased') ?? 0
}

export async function sumsOf(calls: ShardCalls): Promise<Sums> {
  const { numbers } = await calls.numbersOfAll()
  const sums = [...numbers].filter(([name]) => name.startsWith(sumPrefix))
  return Object.fromEntries(sums.map(([name, value]) => [name.slice(sumPrefix.length), value]))
}

/** Gives up what cannot be due in time in one shard, some at a time. */
export async function abandonIn(shard: number, calls: ShardCalls, script: Script, patienceMs: number): Promise<number> {
  let total = 0
  for (const place of places) {
    let [offset, more] = [0, 1]
    while (more) {
      const answer = await calls.run(script, shard, [place, patienceMs, offset, urlsInACall])
      const [abandoned, kept, hasMore] = answer as [number, number, number]
      total += abandoned
      offset += kept
      more = hasMore
    }
  }
  return total
}
