import type { Script } from '../../../engines/redis/courier.ts'
import type { FrontierCounts, Sums } from '../../frontier.ts'
import type { ShardCalls } from './shard-calls.ts'

const urlsInACall = 200
const places = ['1', '2', '3', '4', 'delayed'] as const

/** Adds up numbers that every shard has, in one trip. */
async function totals(calls: ShardCalls, script: Script, name: 'counts' | 'sums'): Promise<Map<string, number>> {
  const total = new Map<string, number>()
  for (const part of (await calls.runInAll(script, [name])) as string[][])
    for (let at = 0; at < part.length; at += 2) total.set(part[at]!, (total.get(part[at]!) ?? 0) + Number(part[at + 1]))
  return total
}

export async function countsOf(calls: ShardCalls, script: Script): Promise<FrontierCounts> {
  const total = await totals(calls, script, 'counts')
  const of = (name: string) => total.get(name) ?? 0
  const [open, leased, done, excluded, dead] = [of('open'), of('leased'), of('done'), of('excluded'), of('dead')]
  return { admitted: open + done + excluded + dead, queued: open - leased, leased, done, excluded, dead }
}

export async function sumsOf(calls: ShardCalls, script: Script): Promise<Sums> {
  return Object.fromEntries(await totals(calls, script, 'sums'))
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
