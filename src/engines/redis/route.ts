import type { Carried } from './order.ts'
import type { Script } from './script.ts'

const ordersInATrip = 200
/** Who asks for less than that in this time is not made to wait: each of its questions may hold up all that follow. */
const busyOrders = 20
const windowMs = 200

/** The way to one node: one trip at a time, everything else waits for the next. */
export class Route {
  readonly #gatherMs: number
  readonly #carry: (orders: readonly Carried[]) => Promise<void>
  readonly #loaded = new Set<string>()
  readonly #waiting: Carried[] = []
  #busy = false
  #leftAt = Number.NEGATIVE_INFINITY
  /** Orders of this window and of the one before. */
  #lately = { since: Number.NEGATIVE_INFINITY, orders: 0, before: 0 }

  /** `gatherMs`: so much time lies between two departures of a busy route, at least, unless a trip is full. */
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
      const orders = this.#waiting.splice(0, ordersInATrip)
      this.#leftAt = performance.now()
      this.#count(orders.length)
      await this.#carry(orders)
    }
    this.#busy = false
  }

  #count(orders: number): void {
    const pastMs = this.#leftAt - this.#lately.since
    if (pastMs > windowMs)
      this.#lately = { since: this.#leftAt, orders: 0, before: pastMs > 2 * windowMs ? 0 : this.#lately.orders }
    this.#lately.orders += orders
  }

  async #gather(): Promise<void> {
    const restMs = this.#leftAt + this.#gatherMs - performance.now()
    if (restMs < 1 || this.#waiting.length >= ordersInATrip) return
    const { orders, before } = this.#lately
    if (orders + before >= busyOrders) await new Promise((resolve) => setTimeout(resolve, restMs))
  }
}
