import type { Counts } from '../site/visits.ts'
import type { Usage } from './measure.ts'
import type { Peer } from './peers.ts'

/** One crawl of the whole site. */
export interface Run extends Usage {
  readonly round: number
  readonly counts: Counts
}

export interface Measured {
  readonly peer: Pick<Peer, 'name' | 'setting' | 'does' | 'doesNot'>
  readonly pages: number
  readonly runs: readonly Run[]
}

/** What a crawler's complete runs come to; `undefined` when it has none. */
export interface Figures {
  readonly cpuMsPerPage: { readonly median: number; readonly min: number; readonly max: number }
  readonly pagesPerSecond: number
  readonly peakRssBytes: number
}

/** Only a crawl that saw every page and came to its end counts: a crawler that gives up early would look fast. */
export function isComplete({ pages }: { readonly pages: number }, { exitCode, counts }: Run): boolean {
  return exitCode !== null && counts.pages === pages && counts.missing === 0
}

export function figures(measured: Measured): Figures | undefined {
  const complete = measured.runs.filter((run) => isComplete(measured, run))
  if (complete.length === 0) return undefined
  const cpuMs = complete.map((run) => run.cpuMs / measured.pages)
  return {
    cpuMsPerPage: { median: median(cpuMs), min: Math.min(...cpuMs), max: Math.max(...cpuMs) },
    pagesPerSecond: median(complete.map((run) => (measured.pages * 1000) / run.elapsedMs)),
    peakRssBytes: Math.max(...complete.map((run) => run.peakRssBytes)),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
