import type { Script } from '../../../engines/redis/script.ts'
import type { HostKey } from '../../../url/keys.ts'
import type { HostEntry } from '../../ledger.ts'
import type { ShardCalls } from './shard-calls.ts'

/** A host as the crawl knows it. */
export interface SurveyedHost extends HostEntry {
  readonly shard: number
  /** How many at the head of each of its lists are leased: returned, high, medium, low. */
  readonly leasedByList: readonly number[]
}

/** As rows.lua tells it. */
type Row = [
  host: string,
  ...leased: [number, number, number, number],
  ...counts: [open: number, done: number, excluded: number, dead: number],
  inFront: number,
  sunk: number,
  gapMs: string,
  nextTouchAt: number,
  hold: string,
]

/** Every host of a shard, some at a time; one that was found meanwhile may be missing, and none comes twice. */
export async function* surveyHosts(calls: ShardCalls, script: Script, shard: number): AsyncIterable<SurveyedHost> {
  const met = new Set<string>()
  for (let bucket = 0; bucket >= 0; ) {
    const [next, ...rows] = (await calls.run(script, shard, [bucket])) as [number, ...Row[]]
    for (const row of rows) {
      if (met.has(row[0])) continue
      met.add(row[0])
      yield hostOf(row, shard)
    }
    bucket = next
  }
}

/** Hosts of one shard by name; those that the crawl does not know are left out. */
export async function hostsNamed(
  names: readonly string[],
  { calls, script, shard }: { readonly calls: ShardCalls; readonly script: Script; readonly shard: number },
): Promise<SurveyedHost[]> {
  return ((await calls.run(script, shard, names)) as Row[]).map((row) => hostOf(row, shard))
}

function hostOf(row: Row, shard: number): SurveyedHost {
  const [host, returned, high, medium, low, open, done, excluded, dead, , sunk, gapMs, nextTouchAt, hold] = row
  const leasedByList = [returned, high, medium, low]
  const leased = returned + high + medium + low
  return {
    ...{ host: host as HostKey, shard, leasedByList, nextTouchAt },
    counts: { admitted: open + done + excluded + dead, queued: open - leased, leased, done, excluded, dead },
    gapMs: Number(gapMs),
    hold: hold === '' ? null : hold,
    sunk: sunk === 1,
  }
}
