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
}
