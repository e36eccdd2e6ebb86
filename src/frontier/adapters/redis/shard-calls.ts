import type { Courier } from '../../../engines/redis/courier.ts'
import type { Order } from '../../../engines/redis/order.ts'
import { type Script, scriptOf } from '../../../engines/redis/script.ts'
import type { Shards } from '../../../engines/redis/shards.ts'

const readNumbers = scriptOf(new URL('./scripts/numbers.lua', import.meta.url))

export interface ShardCallsOptions {
  readonly courier: Courier
  readonly shards: Shards
  readonly crawl: string
  /** For tests: the time by which scripts act, in place of the engine's own. */
  readonly engineTime?: (() => number) | undefined
}

/** Runs scripts in the shards of one crawl: fills in the keys and arguments that all of them begin with. */
export class ShardCalls {
  readonly #courier: Courier
  readonly #engineTime: (() => number) | undefined
  #reading: Promise<Numbers[]> | undefined
  readonly #roots: readonly { readonly keys: readonly [string, string]; readonly bases: readonly [string, string] }[]

  constructor({ courier, shards, crawl, engineTime }: ShardCallsOptions) {
    this.#courier = courier
    this.#engineTime = engineTime
    this.#roots = Array.from({ length: shards.count }, (_, shard) => {
      const [ofCrawl, ofFleet] = [shards.crawlKey(shard, crawl, ''), shards.fleetKey(shard, '')] as const
      return { keys: [`${ofCrawl}counts`, `${ofFleet}state`], bases: [ofCrawl, ofFleet] }
    })
  }

  run(
    script: Script,
    shard: number,
    args: readonly (string | number)[],
    mayWait: Order['mayWait'] = false,
  ): Promise<unknown> {
    const { keys, bases } = this.#roots[shard]!
    return this.#courier.ask({ script, keys, args: [...bases, this.#engineTime?.() ?? 0, ...args], mayWait })
  }

  /** Asks the same of several shards: in one order, where one may name keys of all of them. One answer for each. */
  async runInEach(
    script: Script,
    shards: readonly number[],
    args: readonly (string | number)[],
    mayWait: Order['mayWait'] = false,
  ): Promise<unknown[]> {
    const together = this.#courier.mayJoinKeys ? [shards] : shards.map((shard) => [shard])
    const time = this.#engineTime?.() ?? 0
    const answers = await this.#courier.askAll(
      together.map((some) => ({
        ...{ script, keys: some.map((shard) => this.#roots[shard]!.keys[0]) },
        args: [time, ...args, ...some.map((shard) => this.#roots[shard]!.bases[0])],
        mayWait,
      })),
    )
    return (answers as unknown[][]).flat()
  }

  /** Counts and sums that the crawl has in a shard. */
  async numbers(shard: number): Promise<Numbers> {
    return (await this.#numbersOf([shard]))[0]!
  }

  /** In one order, where one may name keys of all shards. Who asks in the same turn is given the same answer. */
  numbersOfAll(): Promise<Numbers[]> {
    if (!this.#reading) {
      this.#reading = this.#numbersOf([...this.#roots.keys()])
      setImmediate(() => {
        this.#reading = undefined
      })
    }
    return this.#reading
  }

  async #numbersOf(shards: readonly number[]): Promise<Numbers[]> {
    const keys = shards.map((shard) => this.#roots[shard]!.keys[0])
    const together = this.#courier.mayJoinKeys ? [keys] : keys.map((key) => [key])
    const hashes = await this.#courier.askAll(together.map((some) => ({ script: readNumbers, keys: some })))
    return (hashes as string[][][]).flat().map(numbersIn)
  }
}

type Numbers = ReadonlyMap<string, number>

function numbersIn(pairs: readonly string[]): Numbers {
  const numbers = new Map<string, number>()
  for (let at = 0; at < pairs.length; at += 2) numbers.set(pairs[at]!, Number(pairs[at + 1]))
  return numbers
}
