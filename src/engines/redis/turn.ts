import { Cluster } from 'ioredis'
import type { RedisClient } from './connect.ts'
import { expected } from './patience.ts'
import type { RedisScript, ScriptArgument } from './script.ts'
import { slotOf } from './slot.ts'

/** What is asked of the engine: a command or a script. The first key decides where it goes. */
export type TurnOrder = {
  readonly keys: readonly string[]
  readonly args?: readonly ScriptArgument[]
} & ({ readonly command: string } | { readonly script: RedisScript })

interface Asked {
  readonly order: TurnOrder
  readonly group: Group
  readonly at: number
}

/**
 * Sends all that is asked in one turn of the event loop together: one trip to each node that is concerned. Strings are
 * answered as bytes.
 */
export class Turn {
  readonly #client: RedisClient
  /** One order may name any keys; in a Cluster only such as lie in one slot. */
  readonly mayJoinKeys: boolean
  readonly #asked = new Map<string, Asked[]>()
  /** Pipelines sent. */
  trips = 0

  constructor(client: RedisClient) {
    this.#client = client
    this.mayJoinKeys = !(client instanceof Cluster)
  }

  async ask(order: TurnOrder): Promise<unknown> {
    return (await this.askAll([order]))[0]
  }

  /** Answers in order; rejects with the first error. */
  askAll(orders: readonly TurnOrder[]): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      const group = new Group(orders.length, resolve, reject)
      for (const [at, order] of orders.entries()) this.#take({ order, group, at })
    })
  }

  #take(asked: Asked): void {
    if (this.#asked.size === 0) setImmediate(() => this.#depart())
    const node = this.#nodeOf(asked.order.keys[0]!)
    const others = this.#asked.get(node)
    if (others) others.push(asked)
    else this.#asked.set(node, [asked])
  }

  #depart(): void {
    for (const asked of this.#asked.values()) void this.#carry(asked)
    this.#asked.clear()
  }

  async #carry(asked: readonly Asked[], withSource = false): Promise<void> {
    this.trips++
    const pipeline = this.#client.pipeline()
    for (const { order } of asked) pipeline.callBuffer(...wordsOf(order, withSource))
    try {
      const answers = (await pipeline.exec()) ?? []
      const unknown = asked.filter((one, i) => this.#hand(one, answers[i]!) === 'unknown-script')
      if (unknown.length > 0) await this.#carry(unknown, true)
    } catch (error) {
      for (const { group } of asked) group.reject(error)
    }
  }

  #hand({ order, group, at }: Asked, [error, answer]: [Error | null, unknown]): 'unknown-script' | 'handed' {
    if (error?.message.startsWith('NOSCRIPT')) return 'unknown-script'
    if (error) group.reject(expected(order.keys.join('", "'), error))
    else group.answer(at, answer)
    return 'handed'
  }

  /** A pipeline of a Cluster may only hold keys of one node. */
  #nodeOf(key: string): string {
    if (!(this.#client instanceof Cluster)) return ''
    const slot = slotOf(key)
    return this.#client.slots[slot]?.join(';') ?? `slot ${slot}`
  }
}

/** Orders that are answered together: one promise for all of them, since promises are most of what an order costs. */
class Group {
  readonly #answers: unknown[]
  readonly #resolve: (answers: readonly unknown[]) => void
  readonly reject: (error: unknown) => void
  #missing: number

  constructor(size: number, resolve: (answers: readonly unknown[]) => void, reject: (error: unknown) => void) {
    this.#answers = new Array(size)
    this.#missing = size
    this.#resolve = resolve
    this.reject = reject
  }

  answer(at: number, answer: unknown): void {
    this.#answers[at] = answer
    if (--this.#missing === 0) this.#resolve(this.#answers)
  }
}

function wordsOf(order: TurnOrder, withSource: boolean): [string, ...ScriptArgument[]] {
  const { keys, args = [] } = order
  if ('command' in order) return [order.command, ...keys, ...args]
  const { source, digest } = order.script
  return withSource
    ? ['EVAL', source, keys.length, ...keys, ...args]
    : ['EVALSHA', digest, keys.length, ...keys, ...args]
}
