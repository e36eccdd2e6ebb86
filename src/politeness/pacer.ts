import type { Pace } from './pace.ts'

/**
 * The clock shows whole milliseconds, rounded down: a touch seen at 10 may have been at 10.9. One more makes sure that the
 * true gap is never shorter than meant.
 */
const CLOCK_TICK_MS = 1

/**
 * Spends the pace of one held lease. The bucket of tokens is kept as one moment, `#fullAt`, at which it would be full
 * again: a touch moves it a gap ahead, and is allowed while it lies less than `burst` gaps ahead. So with a burst of 1 the
 * next touch is a gap after the actual last one, and being late earns nothing but what the burst allows.
 */
export class Pacer {
  #pace: Pace
  #notBefore: number
  #fullAt: number
  #open = 0
  #lastTouchAt: number | null = null

  /**
   * The host may be touched from `notBefore` on. The earlier holder may have spent its burst a gap ago, so there is one
   * token to begin with, and more only for the time that the host is known to have been quiet.
   */
  constructor(pace: Pace, notBefore: number, quietMs = 0) {
    this.#pace = pace
    this.#notBefore = notBefore
    this.#fullAt = notBefore + Math.max(0, (pace.burst - 1) * this.#stepMs - quietMs)
  }

  /** 0: touch now. `null`: every connection is in use, wait for one to finish. */
  nextTouchInMs(now: number): number | null {
    if (this.#open >= this.#pace.connections) return null
    return Math.max(0, this.#notBefore - now, this.#fullAt - (this.#pace.burst - 1) * this.#stepMs - now)
  }

  /** A request starts now. */
  touched(now: number): void {
    this.#open++
    this.#lastTouchAt = now
    this.#fullAt = Math.max(this.#fullAt, now) + this.#stepMs
  }

  /** A request that was marked as a touch at `touchedAt` went out only now: name look-up, connection and TLS took time. */
  sent(now: number, touchedAt: number): void {
    this.#fullAt += Math.max(0, now - touchedAt)
    this.#lastTouchAt = now
  }

  /** The last touch weighs only so much of a whole one: what follows may come that much sooner. */
  weighLastTouch(share: number): void {
    if (this.#lastTouchAt !== null) this.#fullAt -= Math.floor((1 - share) * this.#stepMs)
  }

  /** A request has ended, however it did. */
  finished(): void {
    this.#open--
  }

  /** Leaves the host alone until then; never sooner than it already must. */
  holdUntil(moment: number): void {
    this.#notBefore = Math.max(this.#notBefore, moment)
  }

  /** Holds at once, counted from the last touch: tokens that were left stay, those that were spent return at the new pace. */
  setPace(pace: Pace): void {
    const since = this.#lastTouchAt ?? this.#notBefore
    const left = Math.min(this.#pace.burst - this.#spentAt(since), pace.burst)
    this.#pace = pace
    this.#fullAt = since + Math.ceil((pace.burst - left) * this.#stepMs)
  }

  #spentAt(moment: number): number {
    if (this.#stepMs === 0) return this.#lastTouchAt === null ? this.#pace.burst - 1 : 1
    return Math.max(0, this.#fullAt - moment) / this.#stepMs
  }

  get pace(): Pace {
    return this.#pace
  }

  /** Requests that have started and not finished. */
  get open(): number {
    return this.#open
  }

  get lastTouchAt(): number | null {
    return this.#lastTouchAt
  }

  get #stepMs(): number {
    return this.#pace.gapMs === 0 ? 0 : this.#pace.gapMs + CLOCK_TICK_MS
  }
}
