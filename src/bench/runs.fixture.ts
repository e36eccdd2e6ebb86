import type { CrawlRun } from './crawl-process.ts'

export interface RunShape {
  readonly pages?: number
  readonly cpuMs?: number
  readonly engineMs?: number
  readonly poolMs?: number
  readonly durationMs?: number
  readonly peakRssBytes?: number
  readonly writtenBytes?: number | null
  /** µs by file, such as `/src/parse/x.ts`. */
  readonly us?: Readonly<Record<string, number>>
}

/** A crawl as it might have been measured. */
export function runOf(shape: RunShape): CrawlRun {
  const { pages = 100, cpuMs = 300, engineMs = 0, poolMs = 0, durationMs = 1000, peakRssBytes = 1e8, us = {} } = shape
  const nothing = {
    failed: 0,
    excluded: 0,
    duplicates: 0,
    nearDuplicates: 0,
    redirects: 0,
    others: 0,
    revisits: 0,
    unchanged: 0,
    queued: 0,
  }
  return {
    summary: {
      ...{ ...nothing, pages, bytes: pages * 20_000, requests: pages + 1, durationMs, cpuMs, peakRssBytes },
      reason: 'finished',
    },
    usage: {
      ...{ cpuMs, peakRssBytes, writtenBytes: shape.writtenBytes ?? null },
      helperMs: { engine: engineMs, pool: poolMs },
    },
    underWay: undefined,
    stacks: Object.entries(us).map(([url, amount]) => ({ frames: [{ functionName: 'f', url }], us: amount })),
  }
}
