import { type HostSettings, withCrawlDelay } from './host-settings.ts'

/** How hard a host may be touched. */
export interface Pace {
  /** Between the starts of two requests, once the burst is spent. */
  readonly gapMs: number
  /** Requests that may start at once after a quiet time (token bucket of this size, refilled one each gap). */
  readonly burst: number
  /** Requests open at the same time. */
  readonly connections: number
  /** Failures in a row of the host itself (no connection, time-outs, 5xx), which open the circuit. */
  readonly failures: number
  /**
   * When the pace was last lowered under this lease. Requests that were already open then change it no further: sixteen
   * answers to one burst are one message. By the holder's clock, so the next holder leaves it out.
   */
  readonly slowedAt?: number
}

/** What a host did. `failure`: of the host itself. `throttled`: 429 or 503, with what Retry-After asks for. */
export type HostEvent =
  | { readonly kind: 'ok'; readonly latencyMs: number }
  | { readonly kind: 'failure' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }

/** The host must be left alone for this long. */
export interface Hold {
  readonly ms: number
  readonly reason: 'retry-after' | 'circuit-open'
}

/** Slower at once, faster slowly. Failures alone slow a host to a quarter of its pace: what is worse the circuit handles. */
const THROTTLED_FACTOR = 2
const FAILURE_FACTOR = 1.5
const FAILURE_LIMIT = 4
const RECOVERY_FACTOR = 0.9

/** For a host that was never touched. */
export function initialPace(settings: HostSettings, crawlDelayMs: number | null): Pace {
  const { delayMs, burst, connections } = withCrawlDelay(settings, crawlDelayMs)
  return { gapMs: delayMs, burst, connections, failures: 0 }
}

/** What the last holder left, under the settings and the crawl-delay of today: never faster than they allow. */
export function inheritedPace(left: Pace, settings: HostSettings, crawlDelayMs: number | null): Pace {
  const initial = initialPace(settings, crawlDelayMs)
  return { ...initial, gapMs: Math.max(left.gapMs, initial.gapMs), failures: left.failures }
}

/**
 * The pace after a request that began at `startedAt`, and whether the host must now be left alone. `settings` are those
 * under the host's crawl-delay (`withCrawlDelay`): their delay is what a calm host returns to.
 */
export function afterOutcome(
  pace: Pace,
  event: HostEvent,
  now: number,
  settings: HostSettings,
  startedAt = now,
): { readonly pace: Pace; readonly hold?: Hold } {
  const isOldNews = startedAt < (pace.slowedAt ?? Number.NEGATIVE_INFINITY)
  switch (event.kind) {
    case 'ok':
      return { pace: isOldNews ? pace : { ...pace, gapMs: calmerGap(pace, event.latencyMs, settings), failures: 0 } }
    case 'failure':
      return isOldNews ? { pace } : afterFailure(pace, now, settings)
    case 'throttled':
      return afterThrottling(isOldNews ? pace : throttled(pace, now, settings), event.retryAfterMs, settings)
    default:
      return event satisfies never
  }
}

/** Back towards the delay, or up to the latency: a host that takes long to answer is asked no more often than it answers. */
function calmerGap({ gapMs }: Pace, latencyMs: number, settings: HostSettings): number {
  const { delayMs, maxGapMs } = settings
  const wantedMs = delayMs === 0 ? 0 : Math.max(delayMs, Math.min(Math.ceil(latencyMs), maxGapMs))
  if (wantedMs > gapMs) return Math.max(delayMs, Math.min(wantedMs, gapMs * 2))
  return Math.max(wantedMs, Math.floor(gapMs * RECOVERY_FACTOR))
}

function throttled(pace: Pace, now: number, settings: HostSettings): Pace {
  const { throttledGapMs, maxGapMs } = settings
  const gapMs = Math.min(Math.max(pace.gapMs * THROTTLED_FACTOR, throttledGapMs), maxGapMs)
  return { ...pace, gapMs: Math.max(gapMs, pace.gapMs), slowedAt: now }
}

function afterThrottling(pace: Pace, retryAfterMs: number | null, settings: HostSettings) {
  const ms = Math.min(retryAfterMs ?? 0, settings.maxRetryAfterMs)
  return ms > 0 ? { pace, hold: { ms, reason: 'retry-after' as const } } : { pace }
}

function afterFailure(pace: Pace, now: number, settings: HostSettings) {
  const { delayMs, maxGapMs, circuit } = settings
  const failures = pace.failures + 1
  const slowerMs = Math.min(Math.ceil(pace.gapMs * FAILURE_FACTOR), delayMs * FAILURE_LIMIT, maxGapMs)
  const slowed = { ...pace, gapMs: Math.max(slowerMs, pace.gapMs), failures }
  if (failures < circuit.failures) return { pace: slowed }
  const ms = Math.min(circuit.holdMs * 2 ** Math.min(failures - circuit.failures, 30), circuit.maxHoldMs)
  return { pace: { ...slowed, slowedAt: now }, hold: { ms, reason: 'circuit-open' as const } }
}

/** Retry-After, seconds or a date, as a wait from now; `null` when it says neither. Absurd waits are held to `maxMs`. */
export function parseRetryAfter(value: string, now: number, maxMs = 86_400_000): number | null {
  const text = value.slice(0, 100).trim()
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxMs)
  if (!/^[a-z]{3,9},? /i.test(text)) return null
  // The oldest of the three forms of HTTP dates names no zone, and means GMT like the others.
  const at = Date.parse(/GMT|UTC|[+-]\d{4}$/.test(text) ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : Math.min(Math.max(at - now, 0), maxMs)
}
