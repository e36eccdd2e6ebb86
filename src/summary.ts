import type { Progress } from './running-crawl.ts'
import type { EndReason } from './worker/worker.ts'

/** What a crawl came to: the last line of `crawl --json`. Counts are of the whole crawl, times of this run. */
export interface Summary {
  readonly pages: number
  readonly failed: number
  readonly excluded: number
  readonly duplicates: number
  readonly nearDuplicates: number
  readonly redirects: number
  readonly others: number
  readonly bytes: number
  readonly requests: number
  /** Visits to URLs that had been visited before, and those of them that found nothing new. */
  readonly revisits: number
  readonly unchanged: number
  /** What workers still hold when the crawl ends goes back, and waits like the rest. */
  readonly queued: number
  readonly durationMs: number
  readonly cpuMs: number
  readonly peakRssBytes: number
  readonly reason: EndReason
}

/** Begins to count time and CPU; the answer sums up. */
export function summarizer(): (progress: Progress, reason: EndReason) => Summary {
  const startedAt = Date.now()
  const cpuBefore = process.cpuUsage()
  return ({ tally, counts }, reason) => {
    const { pages, duplicates, nearDuplicates, redirects, others, bytes, requests, revisits, unchanged } = tally
    const cpu = process.cpuUsage(cpuBefore)
    return {
      ...{ pages, failed: counts.dead, excluded: counts.excluded, duplicates, nearDuplicates, redirects, others },
      ...{ bytes, requests, revisits, unchanged, queued: counts.queued + counts.leased },
      durationMs: Date.now() - startedAt,
      cpuMs: Math.round((cpu.user + cpu.system) / 1000),
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
      reason,
    }
  }
}
