import type { Clock } from '../../clock.ts'

/** Something that must not go on for ever. */
export interface Timed {
  /** Called every few dozen milliseconds; ends itself when its time is over. */
  check(now: number): void
}

const checkEveryMs = 50

/**
 * Watches over all fetches with one timer: a timer for each limit of each fetch would cost more than the request. Limits
 * hold to within 50 ms.
 */
export class Deadlines {
  readonly #clock: Clock
  readonly #watched = new Set<Timed>()
  #watching = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(timed: Timed) {
    this.#watched.add(timed)
    if (!this.#watching) void this.#watch()
  }

  delete(timed: Timed) {
    this.#watched.delete(timed)
  }

  async #watch() {
    this.#watching = true
    while (this.#watched.size > 0) {
      await this.#clock.sleep(checkEveryMs)
      const now = this.#clock.now()
      for (const timed of this.#watched) timed.check(now)
    }
    this.#watching = false
  }
}
