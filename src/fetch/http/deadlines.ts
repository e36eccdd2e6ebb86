import type { Clock } from '../../clock.ts'

/** Something that must not go on for ever. */
export interface Timed {
  /** Called every few dozen milliseconds; ends itself when its time is over. */
  check(now: number): void
  /** For so long nothing was done here: what came meanwhile has not been looked at yet. */
  stoodStill(ms: number, now: number): void
}

const checkEveryMs = 50
/** A timer that comes later than that tells of a machine that had no time for us, or slept. */
const stallMs = 150

/**
 * Watches over all fetches with one timer: a timer for each limit of each fetch would cost more than the request. Limits
 * hold to within 50 ms. Time in which this process stood still is not counted against anybody: an answer that lies in its
 * socket would be given up unread, and asked for again.
 */
export class Deadlines<T extends Timed> {
  readonly #clock: Clock
  readonly #watched = new Set<T>()
  #watching = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** All that go on, in the order in which they began. */
  get watched(): Iterable<T> {
    return this.#watched
  }

  add(timed: T) {
    this.#watched.add(timed)
    if (!this.#watching) void this.#watch()
  }

  delete(timed: T) {
    this.#watched.delete(timed)
  }

  async #watch() {
    this.#watching = true
    while (this.#watched.size > 0) {
      const since = this.#clock.now()
      await this.#clock.sleep(checkEveryMs)
      const now = this.#clock.now()
      const lateMs = now - since - checkEveryMs
      if (lateMs > stallMs) for (const timed of this.#watched) timed.stoodStill(lateMs, now)
      for (const timed of this.#watched) timed.check(now)
    }
    this.#watching = false
  }
}
