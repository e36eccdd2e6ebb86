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

/**
 * `mayJoinKeys`: one script may name keys of several orders. Calls of a script that are for the same keys go one after the
 * other.
 */
export function parcelsOf(orders: readonly Carried[], mayJoinKeys: boolean): Parcel[] {
  const joinedBy = ({ order, goesAlone }: Carried) =>
    mayJoinKeys && !goesAlone && 'script' in order && order.script.callsAtOnce !== undefined ? order.script : undefined
  return [...Map.groupBy(orders, joinedBy)].flatMap(([script, some]) => {
    if (!script) return some.map((carried): Parcel => [carried])
    const byForm = Map.groupBy(some, ({ group }) => group.form).values()
    return [...byForm].flatMap((calls) => inParcels(calls, script.callsAtOnce!))
  })
}

function inParcels(calls: readonly Carried[], most: number): Parcel[] {
  const sorted = [...Map.groupBy(calls, ({ order }) => order.keys[0]).values()].flat()
  const parcels: Parcel[] = []
  for (let [first, ...rest] = sorted.splice(0, most); first; [first, ...rest] = sorted.splice(0, most))
    parcels.push([first, ...rest])
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
  const { keys, args } = script.callsAtOnce === undefined ? order : joined(parcel)
  return knows(script)
    ? ['EVALSHA', script.digest, keys.length, ...keys, ...(args ?? [])]
    : ['EVAL', script.source, keys.length, ...keys, ...(args ?? [])]
}

/** As `Script.callsAtOnce` says. */
function joined(parcel: Parcel): { readonly keys: readonly string[]; readonly args: readonly ScriptArgument[] } {
  const keys: string[] = []
  const all: ScriptArgument[] = []
  let before: readonly string[] = []
  for (const { order } of parcel) {
    const { args = [] } = order
    const isSame = before.length > 0 && order.keys.every((key, at) => key === before[at])
    if (!isSame) keys.push(...order.keys)
    all.push(isSame ? -args.length : args.length, ...args)
    before = order.keys
  }
  return { keys, args: all }
}

/** What was answered to each order of a parcel. */
export function answersIn(parcel: Parcel, answer: unknown): readonly unknown[] {
  const [{ order }] = parcel
  return 'script' in order && order.script.callsAtOnce !== undefined ? (answer as readonly unknown[]) : [answer]
}
