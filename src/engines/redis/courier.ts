import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ChainableCommander, Cluster } from 'ioredis'
import type { RedisClient } from './connect.ts'
import { accessLost } from './faults.ts'
import { isPassing } from './patience.ts'
import { slotOf } from './slot.ts'

/** An atomic step, in Lua. */
export interface Script {
  readonly source: string
  readonly digest: string
}

/** Joins files to one script: parts that several have in common come first. */
export function scriptOf(...files: readonly URL[]): Script {
  const source = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  return { source, digest: createHash('sha1').update(source).digest('hex') }
}

type Argument = string | number

interface Order {
  /** One of its keys: all of them lie in one slot. */
  readonly key: string
  /** Adds itself to what is sent; `knows`: whether the node has a script. */
  readonly join: (trip: ChainableCommander, knows: (script: Script) => boolean) => void
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface CourierOptions {
  readonly client: RedisClient
  /** How long the engine may be away before what was asked of it fails. */
  readonly patienceMs: number
  /** A node has not had scripts that it was sent before: it was restarted, or another has taken over. */
  readonly onNewEngine?: () => void
}

const ordersInATrip = 200
const firstWaitMs = 50
const longestWaitMs = 5000

/**
 * Carries scripts to the engine, many in one trip: all that is asked in a turn of the event loop, and all that is asked
 * of a node while an earlier trip to it is under way, goes together. While the engine is away, fails over or has no
 * memory left, it tries again: so a script may act twice, or act without its answer being heard, and must allow both.
 */
export class Courier {
  readonly #client: RedisClient
  readonly #patienceMs: number
  readonly #onNewEngine: () => void
  readonly #routes = new Map<string, Route>()
  /** Pipelines sent. */
  trips = 0
  /** Scripts and commands in them. */
  orders = 0

  constructor({ client, patienceMs, onNewEngine = () => {} }: CourierOptions) {
    this.#client = client
    this.#onNewEngine = onNewEngine
    this.#patienceMs = patienceMs
  }

  /** All keys lie in one slot. */
  run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    return this.#order(keys[0]!, (trip, knows) =>
      knows(script)
        ? trip.evalsha(script.digest, keys.length, ...keys, ...args)
        : trip.eval(script.source, keys.length, ...keys, ...args),
    )
  }

  async readHash(key: string): Promise<Readonly<Record<string, string>>> {
    return (await this.#order(key, (trip) => trip.hgetall(key))) as Record<string, string>
  }

  #order(key: string, join: Order['join']): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#routeTo(key).take({ key, join, resolve, reject })
    return promise
  }

  #routeTo(key: string): Route {
    const node = this.#nodeOf(key)
    let route = this.#routes.get(node)
    if (!route) {
      route = new Route((orders) => this.#carry(orders))
      this.#routes.set(node, route)
    }
    return route
  }

  #nodeOf(key: string): string {
    if (!(this.#client instanceof Cluster)) return ''
    const slot = slotOf(key)
    return this.#client.slots[slot]?.join(';') ?? `slot ${slot}`
  }

  async #carry(orders: readonly Order[]): Promise<void> {
    const startedAt = performance.now()
    let left = orders
    for (let waitMs = firstWaitMs; left.length > 0; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      // What lay on one node when it was asked for may lie on several by now.
      const parts = Map.groupBy(left, ({ key }) => this.#nodeOf(key))
      const trips = await Promise.all(parts.values().map((part) => this.#trip(part, startedAt)))
      left = trips.flatMap(({ again }) => again)
      if (left.length === 0) return
      const error = trips.find((trip) => trip.error)?.error
      if (performance.now() - startedAt > this.#patienceMs) return refuse(left, engineAway(this.#patienceMs, error))
      if (trips.some(({ isScriptMissing }) => isScriptMissing)) this.#onNewEngine()
      else await this.#pause(waitMs)
    }
  }

  async #pause(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms))
    if (this.#client instanceof Cluster) this.#client.refreshSlotsCache()
  }

  /** Answers the orders that were carried out; the others may be tried again. */
  async #trip(orders: readonly Order[], startedAt: number): Promise<Trip> {
    this.trips++
    this.orders += orders.length
    const route = this.#routeTo(orders[0]!.key)
    const again: Order[] = []
    let [isScriptMissing, lastError]: [boolean, Error | undefined] = [false, undefined]
    for (const [index, [error, answer]] of (await this.#send(orders, route, startedAt)).entries()) {
      const order = orders[index]!
      if (!error) order.resolve(answer)
      else if (isScriptUnknown(error) || isPassing(error)) {
        isScriptMissing ||= isScriptUnknown(error)
        lastError = error
        again.push(order)
      } else order.reject(accessLost(error) ?? error)
    }
    if (isScriptMissing) route.forget()
    return { again, isScriptMissing, error: lastError }
  }

  async #send(orders: readonly Order[], route: Route, startedAt: number): Promise<readonly Result[]> {
    const pipeline = this.#client.pipeline()
    for (const { join } of orders) join(pipeline, (script) => route.knows(script))
    const leftMs = Math.max(0, startedAt + this.#patienceMs - performance.now())
    try {
      return (await within(leftMs, pipeline.exec())) ?? []
    } catch (error) {
      return orders.map(() => [error as Error, undefined])
    }
  }
}

type Result = [error: Error | null, answer: unknown]

interface Trip {
  readonly again: readonly Order[]
  readonly isScriptMissing: boolean
  readonly error: Error | undefined
}

/** The way to one node: one trip at a time, everything else waits for the next. */
class Route {
  readonly #carry: (orders: readonly Order[]) => Promise<void>
  readonly #loaded = new Set<string>()
  #waiting: Order[] = []
  #busy = false

  constructor(carry: (orders: readonly Order[]) => Promise<void>) {
    this.#carry = carry
  }

  take(order: Order): void {
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
    while (this.#waiting.length > 0) await this.#carry(this.#waiting.splice(0, ordersInATrip))
    this.#busy = false
  }
}

const isScriptUnknown = (error: Error) => error.message.startsWith('NOSCRIPT')

function refuse(orders: readonly Order[], error: Error): void {
  for (const { reject } of orders) reject(error)
}

function engineAway(patienceMs: number, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause)
  const seconds = Math.round(patienceMs / 1000)
  return new Error(`Redis could not be used for ${seconds} s (${why}): see to it, then resume the crawl.`, { cause })
}

async function within<T>(ms: number, task: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('it did not answer')), ms)
  try {
    return await Promise.race([task, promise])
  } finally {
    clearTimeout(timer)
  }
}
