import type { Carried } from './order.ts'
import type { Script } from './script.ts'

const ordersInATrip = 200

/** The way to one node: one trip at a time, everything else waits for the next. */
export class Route {
  readonly #gatherMs: number
  readonly #carry: (orders: readonly Carried[]) => Promise<void>
  readonly #loaded = new Set<string>()
  readonly #waiting: Carried[] = []
  #busy = false
  #leftAt = Number.NEGATIVE_INFINITY

  /** `gatherMs`: so much time lies between two departures, at least, unless a trip is full. */
  constructor(gatherMs: number, carry: (orders: readonly Carried[]) => Promise<void>) {
    this.#gatherMs = gatherMs
    this.#carry = carry
  }

  take(order: Carried): void {
    this.#waiting.push(order)
    if (this.#busy) return
    this.#busy = true
    // Two turns: what is gathered elsewhere in this one arrives in the next.
    setImmediate(() => setImmediate(() => void this.#leave()))
  }

  /** Whether the node has had the script; from now on it has. */
  knows({ digest }: Script): boolean {
    if (this.#loaded.has(digest)) return true
    this.#loaded.add(digest)
    return false
  }

  forget(): void {
    this.#loaded.clear()
  }

  async #leave(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather()
      this.#leftAt = performance.now()
      await this.#carry(this.#waiting.splice(0, ordersInATrip))
    }
    this.#busy = false
  }

  async #gather(): Promise<void> {
    const restMs = this.#leftAt + this.#gatherMs - performance.now()
    if (restMs >= 1 && this.#waiting.length < ordersInATrip) await new Promise((resolve) => setTimeout(resolve, restMs))
  }
}
