import type { ChainableCommander } from 'ioredis'
import type { Script, ScriptArgument } from './script.ts'

/** What is asked of the engine: a command or a script. All its keys lie in one slot, or there is no Cluster. */
export type Order = CommandOrder | ScriptOrder

interface AnyOrder {
  readonly keys: readonly string[]
  readonly args?: readonly ScriptArgument[]
  /**
   * It may wait for others to travel with. `briefly`: a page is held up by it. `true`: something goes on with the answer
   * some time. `long`: about a second, since it is asked for once in a while only.
   */
  readonly mayWait?: boolean | 'briefly' | 'long'
}

interface CommandOrder extends AnyOrder {
  readonly command: string
}

interface ScriptOrder extends AnyOrder {
  readonly script: Script
}

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
  /** Others that went with it in one script have failed, and perhaps because of it. */
  readonly goesAlone?: boolean
}

/** Goes as one command: an order, or several calls of a script that takes some at once. */
export type Parcel = readonly [Carried, ...Carried[]]

/** `mayJoinKeys`: one script may name keys of several orders. */
export function parcelsOf(orders: readonly Carried[], mayJoinKeys: boolean): Parcel[] {
  const parcels: [Carried, ...Carried[]][] = []
  const open = new Map<Script, [Carried, ...Carried[]]>()
  for (const carried of orders) {
    const { order } = carried
    const isCall = 'script' in order && mayJoinKeys && !carried.goesAlone
    const most = isCall ? order.script.callsAtOnce : undefined
    const joined = most === undefined ? undefined : open.get((order as ScriptOrder).script)
    if (joined && joined.length < most! && joined[0].group.form === carried.group.form) joined.push(carried)
    else {
      const parcel: [Carried, ...Carried[]] = [carried]
      parcels.push(parcel)
      if (most !== undefined) open.set((order as ScriptOrder).script, parcel)
    }
  }
  return parcels
}

/** `knows`: whether the node has a script. */
export function putInto(pipeline: ChainableCommander, parcel: Parcel, knows: (script: Script) => boolean) {
  const words = wordsOf(parcel, knows)
  if (parcel[0].group.form === 'bytes') pipeline.callBuffer(...words)
  else pipeline.call(...words)
}

function wordsOf(parcel: Parcel, knows: (script: Script) => boolean): [string, ...ScriptArgument[]] {
  const [{ order }] = parcel
  if ('command' in order) return [order.command, ...order.keys, ...(order.args ?? [])]
  const { script } = order
  const keys = parcel.flatMap((carried) => carried.order.keys)
  const args = parcel.flatMap(({ order: { args = [] } }) =>
    script.callsAtOnce === undefined ? args : [args.length, ...args],
  )
  return knows(script)
    ? ['EVALSHA', script.digest, keys.length, ...keys, ...args]
    : ['EVAL', script.source, keys.length, ...keys, ...args]
}

/** What was answered to each order of a parcel. */
export function answersIn(parcel: Parcel, answer: unknown): readonly unknown[] {
  const [{ order }] = parcel
  return 'script' in order && order.script.callsAtOnce !== undefined ? (answer as readonly unknown[]) : [answer]
}
