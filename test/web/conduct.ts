import type { Host } from './host.ts'
import type { LogEntry } from './log.ts'

export interface Violation {
  readonly entry: LogEntry
  /**
   * `disallowed`: robots.txt closes the path. `robots-unknown`: the host was not asked for its robots.txt before.
   * `robots-unavailable`: it was, and failed. `crawl-delay`: too soon after the last page. `retry-after`: within the time
   * for which a 429 or 503 had asked for rest.
   */
  readonly reason: 'disallowed' | 'robots-unknown' | 'robots-unavailable' | 'crawl-delay' | 'retry-after'
}

/** Requests that were on their way when the 429 was sent are no offence. */
const inFlightMs = 100
/** Packets bunch on the way: a gap kept by the client may arrive a little shorter. */
const toleratedShare = 0.9

interface OriginState {
  robots: 'robots-unknown' | 'robots-unavailable' | 'known'
  lastPageAtMs: number
  restFromMs: number
  restUntilMs: number
}

/** Watches how clients behave, with nothing but what a server can see. */
export interface Conduct {
  readonly robotsViolations: readonly Violation[]
  readonly rateViolations: readonly Violation[]
  /** 429 and 503 answers with Retry-After so far, by host. */
  readonly limited: ReadonlyMap<string, number>
  asked(host: Pick<Host, 'forbids' | 'crawlDelayMs'>, path: string, entry: LogEntry): void
  answered(path: string, entry: LogEntry, retryAfter: string | undefined): void
}

/** `lagMs`: how much earlier than it was noted a request may have come. */
export function conduct(lagMs: () => number = () => 0): Conduct {
  const origins = new Map<string, OriginState>()
  const robotsViolations: Violation[] = []
  const rateViolations: Violation[] = []
  const limited = new Map<string, number>()

  function stateOf({ scheme, host }: LogEntry): OriginState {
    const key = scheme + host
    let state = origins.get(key)
    if (!state) {
      state = { robots: 'robots-unknown', lastPageAtMs: -Infinity, restFromMs: Infinity, restUntilMs: -Infinity }
      origins.set(key, state)
    }
    return state
  }

  return {
    robotsViolations,
    rateViolations,
    limited,
    asked(host, path, entry) {
      const state = stateOf(entry)
      if (entry.atMs - lagMs() > state.restFromMs && entry.atMs < state.restUntilMs)
        rateViolations.push({ entry, reason: 'retry-after' })
      if (path === '/robots.txt') return
      if (state.robots !== 'known') robotsViolations.push({ entry, reason: state.robots })
      else if (host.forbids?.(path)) robotsViolations.push({ entry, reason: 'disallowed' })
      if (host.crawlDelayMs !== undefined && entry.atMs - state.lastPageAtMs < host.crawlDelayMs * toleratedShare)
        rateViolations.push({ entry, reason: 'crawl-delay' })
      state.lastPageAtMs = entry.atMs - lagMs()
    },
    answered(path, entry, retryAfter) {
      if (path === '/robots.txt') {
        const state = stateOf(entry)
        if (entry.status >= 200 && entry.status < 500) state.robots = 'known'
        else if (state.robots !== 'known') state.robots = 'robots-unavailable'
      }
      if (retryAfter === undefined) return
      const state = stateOf(entry)
      state.restFromMs = entry.atMs + inFlightMs
      state.restUntilMs = entry.atMs + Number(retryAfter) * 1000
      limited.set(entry.host, (limited.get(entry.host) ?? 0) + 1)
    },
  }
}
