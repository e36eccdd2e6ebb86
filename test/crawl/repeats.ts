import { canonicalUrl } from '../web/canonical.ts'
import type { LogEntry } from '../web/log.ts'

/** One life of a crawl's process, by wall time. */
export interface Run {
  readonly openedAt: number
  /** Infinity: it came to its end. */
  readonly killedAt: number
}

/** A URL that the server was asked for again. */
export interface Repeat {
  readonly url: string
  /** Whose visit was lost; `undefined`: both requests came in one run. */
  readonly lostIn: Run | undefined
  /** How long before the kill the first of the two came. */
  readonly lostMs: number
}

/** What was asked for more than once. A request that comes after a kill, before the next run is open, was on its way. */
export function repeatsIn(log: readonly LogEntry[], runs: readonly Run[]): Repeat[] {
  const lastAsked = new Map<string, number>()
  const repeats: Repeat[] = []
  const runAt = (wallMs: number) => runs.findLast(({ openedAt }) => openedAt <= wallMs)
  for (const { url: asked, wallMs } of log) {
    const url = canonicalUrl(asked)
    const before = lastAsked.get(url)
    lastAsked.set(url, wallMs)
    if (before === undefined) continue
    const run = runAt(before)
    const lostIn = run === runAt(wallMs) ? undefined : run
    repeats.push({ url, lostIn, lostMs: lostIn ? Math.max(0, lostIn.killedAt - before) : 0 })
  }
  return repeats
}

/**
 * Requests that came sooner after the one before than a gap allows, with the runs of both, in words. After a robots.txt
 * that asks for no delay a quarter of the gap is enough.
 */
export function hastyIn(log: readonly LogEntry[], gapMs: number, runs: readonly Run[]): string[] {
  const runAt = (wallMs: number) => runs.findLastIndex(({ openedAt }) => openedAt <= wallMs)
  const found: string[] = []
  for (let i = 1; i < log.length; i++) {
    const [before, entry] = [log[i - 1]!, log[i]!]
    const waitedMs = entry.atMs - before.atMs
    if (waitedMs < (before.target === '/robots.txt' ? gapMs / 4 : gapMs))
      found.push(
        `${entry.url} came ${Math.round(waitedMs)} ms after ${before.target}, in runs ${runAt(before.wallMs)} and ${runAt(entry.wallMs)}`,
      )
  }
  return found
}
