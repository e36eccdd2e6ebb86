import type { ChainableCommander } from 'ioredis'
import type { Script, ScriptArgument } from './script.ts'

/** What is asked of the engine: a command or a script. All its keys lie in one slot, or there is no Cluster. */
export type Order = {
  readonly keys: readonly string[]
  readonly args?: readonly ScriptArgument[]
  /**
   * It may wait for others to travel with. `briefly`: a page is held up by it. `true`: something goes on with the answer
   * some time. `long`: about a second, since it is asked for once in a while only.
   */
  readonly mayWait?: boolean | 'briefly' | 'long'
} & ({ readonly command: string } | { readonly script: Script })

/** As what strings are answered. */
export type Form = 'text' | 'bytes'

/** Orders that are answered together: one promise for all of them, since promises are most of what an order costs. */
export class OrderGroup {
  readonly form: Form
  readonly #answers: unknown[]
  readonly #resolve: (answers: readonly unknown[]) => void
  readonly reject: (error: unknown) => void
  #missing: number

  constructor(
    size: number,
    form: Form,
    resolve: (answers: readonly unknown[]) => void,
    reject: (error: unknown) => void,
  ) {
    this.form = form
    this.#answers = new Array(size)
    this.#missing = size
    this.#resolve = resolve
    this.reject = reject
    if (size === 0) resolve([])
  }

  answer(at: number, answer: unknown): void {
    this.#answers[at] = answer
    if (--this.#missing === 0) this.#resolve(this.#answers)
  }
}

/** An order on its way. */
export interface Carried {
  readonly order: Order
  readonly group: OrderGroup
  readonly at: number
}

/** `knows`: whether the node has a script. */
export function putInto(pipeline: ChainableCommander, { order, group }: Carried, knows: (script: Script) => boolean) {
  const words = wordsOf(order, knows)
  if (group.form === 'bytes') pipeline.callBuffer(...words)
  else pipeline.call(...words)
}

function wordsOf(order: Order, knows: (script: Script) => boolean): [string, ...ScriptArgument[]] {
  const { keys, args = [] } = order
  if ('command' in order) return [order.command, ...keys, ...args]
  const { script } = order
  return knows(script)
    ? ['EVALSHA', script.digest, keys.length, ...keys, ...args]
    : ['EVAL', script.source, keys.length, ...keys, ...args]
}
