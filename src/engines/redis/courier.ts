import { Cluster } from 'ioredis'
import { engineNews } from '../../monitor/events.ts'
import type { RedisClient } from './connect.ts'
import { accessLost } from './faults.ts'
import { answersIn, type Carried, type Form, type Order, OrderGroup, type Parcel, parcelsOf, putInto } from './order.ts'
import { EngineAway, expected, isPassing, reasonToWait } from './patience.ts'
import { Route, type RouteTimes } from './route.ts'
import { isScriptUnknown } from './script.ts'
import { slotOf } from './slot.ts'

export interface CourierOptions {
  readonly client: RedisClient
  /** How long the engine may be away before what was asked of it fails. */
  readonly patienceMs?: number
  /**
   * Time between two trips to a node, at least, while much is asked of it. A trip costs both sides more than most of what
   * it carries, so who asks for much and can wait should let it gather.
   */
  readonly gatherMs?: number
  /** How long orders that may wait do so, at most, to travel with others. */
  readonly companyMs?: number
}

const firstWaitMs = 50
const longestWaitMs = 5000

/**
 * Carries orders to the engine, many in one trip: all that is asked in a turn of the event loop, and all that is asked of
 * a node while an earlier trip to it is under way, goes together; so all who use one connection should use one courier.
 * While the engine is away, fails over or has no memory left, it tries again: so an order may act twice, or act without
 * its answer being heard, and must allow both.
 */
export class Courier {
  readonly #client: RedisClient
  readonly #patienceMs: number
  readonly #times: RouteTimes
  readonly #routes = new Map<string, Route>()
  readonly #onNewEngine = new Set<() => void>()
  #connection: unknown
  /** In a Cluster, as far as it was asked for. */
  readonly #nodeOfSlot: string[] = []
  /** One order may name any keys; in a Cluster only such as lie in one slot. */
  readonly mayJoinKeys: boolean
  /** Pipelines sent. */
  trips = 0
  /** Scripts and commands in them. */
  orders = 0

  constructor({ client, patienceMs = 300_000, gatherMs = 0, companyMs = 0 }: CourierOptions) {
    this.#client = client
    this.#patienceMs = patienceMs
    this.#times = { gatherMs, companyMs }
    this.mayJoinKeys = !(client instanceof Cluster)
  }

  /** The connection was closed for good. */
  get isClosed(): boolean {
    return this.#client.status === 'end'
  }

  /**
   * Calls when an engine may be another than before: it lacks scripts that it was sent, was connected to anew, or another
   * node of a Cluster has its part. What it answers ends that.
   */
  onNewEngine(listener: () => void): () => void {
    this.#onNewEngine.add(listener)
    return () => void this.#onNewEngine.delete(listener)
  }

  async ask(order: Order, form?: Form): Promise<unknown> {
    return (await this.askAll([order], form))[0]
  }

  /** Answers in order; rejects with the first error. */
  askAll(orders: readonly Order[], form: Form = 'text'): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      const group = new OrderGroup(orders.length, form, resolve, reject)
      for (const [at, order] of orders.entries()) this.#routeTo(order).take({ order, group, at })
    })
  }

  #routeTo(order: Order): Route {
    const node = this.#nodeOf(order)
    let route = this.#routes.get(node)
    if (!route) {
      route = new Route(this.#times, (orders) => this.#carry(orders))
      this.#routes.set(node, route)
    }
    return route
  }

  #tellOfNewEngine(): void {
    for (const tell of this.#onNewEngine) tell()
  }

  /** A pipeline of a Cluster may only hold keys of one node. */
  #nodeOf({ keys }: Order): string {
    if (!(this.#client instanceof Cluster)) return ''
    const slot = slotOf(keys[0]!)
    const node = this.#client.slots[slot]?.join(';')
    if (node === undefined) return `slot ${slot}`
    this.#noteNode(slot, node)
    return node
  }

  /** With the first slot that has another node its route goes: so it is told once or twice, not for each of them. */
  #noteNode(slot: number, node: string): void {
    const before = this.#nodeOfSlot[slot]
    if (before === node) return
    this.#nodeOfSlot[slot] = node
    if (before !== undefined && this.#routes.delete(before)) queueMicrotask(() => this.#tellOfNewEngine())
  }

  async #carry(orders: readonly Carried[]): Promise<void> {
    const startedAt = performance.now()
    let [left, wasAway] = [orders, false]
    let error: Error | undefined
    for (let waitMs = firstWaitMs; left.length > 0; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      if (this.isClosed) return refuse(left, error ?? new Error('The connection to Redis is closed.'))
      // What lay on one node when it was asked for may lie on several by now.
      const parts = Map.groupBy(left, ({ order }) => this.#nodeOf(order))
      const trips = await Promise.all(parts.values().map((part) => this.#trip(part, startedAt)))
      const isScriptMissing = trips.some((trip) => trip.isScriptMissing)
      if (this.#isConnectedAnew() || isScriptMissing) this.#tellOfNewEngine()
      left = trips.flatMap(({ again }) => again)
      if (left.length === 0) break
      error = trips.find((trip) => trip.error)?.error
      if (!error) continue
      if (performance.now() - startedAt > this.#patienceMs) return refuse(left, engineAway(this.#patienceMs, error))
      if (isScriptMissing) continue
      wasAway = true
      engineNews.tell({ engine: 'redis', isAway: true, reason: reasonToWait(error) })
      await this.#pause(waitMs)
    }
    if (wasAway) engineNews.tell({ engine: 'redis', isAway: false, reason: '' })
  }

  #isConnectedAnew(): boolean {
    if (this.#client instanceof Cluster) return false
    const before = this.#connection
    this.#connection = this.#client.stream
    return before !== undefined && before !== this.#connection
  }

  async #pause(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms))
    if (this.#client instanceof Cluster) this.#client.refreshSlotsCache()
  }

  /** Answers the orders that were carried out; the others may be tried again. */
  async #trip(orders: readonly Carried[], startedAt: number): Promise<Trip> {
    this.trips++
    this.orders += orders.length
    const route = this.#routeTo(orders[0]!.order)
    const parcels = parcelsOf(orders, this.mayJoinKeys)
    const again: Carried[] = []
    let [isScriptMissing, lastError]: [boolean, Error | undefined] = [false, undefined]
    for (const [index, [error, answer]] of (await this.#send(parcels, route, startedAt)).entries()) {
      const parcel = parcels[index]!
      if (!error) {
        const answers = answersIn(parcel, answer)
        for (const [n, { group, at }] of parcel.entries()) group.answer(at, answers[n])
      } else if (isScriptUnknown(error) || isPassing(error)) {
        isScriptMissing ||= isScriptUnknown(error)
        lastError = error
        again.push(...parcel)
      } else if (parcel.length > 1) again.push(...parcel.map((carried) => ({ ...carried, goesAlone: true })))
      else {
        const [{ order, group }] = parcel
        group.reject(accessLost(error) ?? expected(order.keys.join('", "'), error))
      }
    }
    if (isScriptMissing) route.forget()
    return { again, isScriptMissing, error: lastError }
  }

  async #send(parcels: readonly Parcel[], route: Route, startedAt: number): Promise<readonly Result[]> {
    const pipeline = this.#client.pipeline()
    for (const parcel of parcels) putInto(pipeline, parcel, (script) => route.knows(script))
    const leftMs = Math.max(0, startedAt + this.#patienceMs - performance.now())
    try {
      return (await within(leftMs, pipeline.exec())) ?? []
    } catch (error) {
      return parcels.map(() => [error as Error, undefined])
    }
  }
}

type Result = [error: Error | null, answer: unknown]

interface Trip {
  readonly again: readonly Carried[]
  readonly isScriptMissing: boolean
  readonly error: Error | undefined
}

function refuse(orders: readonly Carried[], error: unknown): void {
  for (const { group } of orders) group.reject(error)
}

function engineAway(patienceMs: number, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause)
  const seconds = Math.round(patienceMs / 1000)
  return new EngineAway(`Redis could not be used for ${seconds} s (${why}): see to it, then resume the crawl.`, {
    cause,
  })
}

async function within<T>(ms: number, task: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  // A connection that is open keeps the process alive by itself; one that was closed must not.
  const timer = setTimeout(() => reject(new Error('it did not answer')), ms).unref()
  try {
    return await Promise.race([task, promise])
  } finally {
    clearTimeout(timer)
  }
}
