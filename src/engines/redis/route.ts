import type { Carried } from './order.ts'
import type { Script } from './script.ts'

const ordersInATrip = 200
/** So many need not wait for more. */
const enoughCompany = 64
const firstPatienceMs = 20
const leastPatienceMs = 5
const longPatienceMs = 1000
/** Who asks for less than that in this time is not made to wait: each of its questions may hold up all that follow. */
const busyOrders = 20
const windowMs = 200

export interface RouteTimes {
  /** So much time lies between two departures of a busy route, at least, unless a trip is full. */
  readonly gatherMs: number
  /** So long what may wait does wait for company, at most. */
  readonly companyMs: number
}

/**
 * The way to one node: one trip at a time, everything else waits for the next. What may wait leaves with the next order
 * that may not, or when it has waited for long enough; how long that is it learns: longer while others come, shorter when
 * it has waited in vain, so that one who is alone is not held up.
 */
export class Route {
  readonly #times: RouteTimes
  readonly #carry: (orders: readonly Carried[]) => Promise<void>
  readonly #loaded = new Set<string>()
  readonly #waiting: Carried[] = []
  #busy = false
  #patienceMs = firstPatienceMs
  /** Another order has come while others wait. */
  #came = () => {}
  #leftAt = Number.NEGATIVE_INFINITY
  /** Orders of this window and of the one before. */
  #lately = { since: Number.NEGATIVE_INFINITY, orders: 0, before: 0 }

  constructor(times: RouteTimes, carry: (orders: readonly Carried[]) => Promise<void>) {
    this.#times = times
    this.#carry = carry
  }

  take(carried: Carried): void {
    this.#waiting.push(carried)
    this.#came()
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
      await this.#company()
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

  async #company(): Promise<void> {
    const { companyMs, gatherMs } = this.#times
    if (companyMs === 0) return
    const allWaitLong = () => this.#waiting.every(({ order }) => order.mayWait === 'long')
    if (allWaitLong()) await this.#wait(longPatienceMs, () => !allWaitLong())
    const mayLeave = () =>
      this.#waiting.length >= enoughCompany || this.#waiting.some(({ order }) => !order.mayWait) || allWaitLong()
    const alone = this.#waiting.length
    if (mayLeave()) return
    const isBrief = this.#waiting.some(({ order }) => order.mayWait === 'briefly')
    await this.#wait(Math.min(this.#patienceMs, isBrief ? gatherMs : companyMs), mayLeave)
    const wasInVain = this.#waiting.length === alone
    this.#patienceMs = wasInVain
      ? Math.max(leastPatienceMs, this.#patienceMs / 2)
      : Math.min(companyMs, this.#patienceMs * 2)
  }

  async #wait(ms: number, isEnough: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#came = () => {
      if (isEnough()) resolve()
    }
    await promise
    clearTimeout(timer)
    this.#came = () => {}
  }

  async #gather(): Promise<void> {
    const restMs = this.#leftAt + this.#times.gatherMs - performance.now()
    if (restMs < 1 || this.#waiting.length >= ordersInATrip) return
    const { orders, before } = this.#lately
    if (orders + before >= busyOrders) await new Promise((resolve) => setTimeout(resolve, restMs))
  }
}
