import type { Scheme } from './answer.ts'
import { canonicalUrl } from './canonical.ts'

/** One request, as the server saw it. */
export interface LogEntry {
  /** Monotonic milliseconds since 1970: for gaps. */
  readonly atMs: number
  /** The wall clock at that moment: for people. */
  readonly wallMs: number
  readonly host: string
  readonly scheme: Scheme
  readonly protocol: 'http/1.1' | 'h2'
  readonly method: string
  /** As it stood in the request line. */
  readonly target: string
  readonly url: string
  readonly userAgent: string
  /** The process that made it, where it says so (test/fleet/sign-requests.ts); 0: it does not. */
  readonly madeBy: number
  /** 0 while unanswered, and for ever when the answer was no HTTP. */
  status: number
}

/** Start to start, over all requests that pass the filter; Infinity with fewer than two. */
export function minGapMs(entries: readonly LogEntry[]): number {
  let gap = Number.POSITIVE_INFINITY
  for (let i = 1; i < entries.length; i++) gap = Math.min(gap, entries[i]!.atMs - entries[i - 1]!.atMs)
  return gap
}

/** Requests for each canonical URL. */
export function fetchCounts(entries: Iterable<LogEntry>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { url } of entries) {
    const canonical = canonicalUrl(url)
    counts.set(canonical, (counts.get(canonical) ?? 0) + 1)
  }
  return counts
}
