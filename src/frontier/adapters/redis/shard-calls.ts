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
  /** What every script begins with, by shard. */
  readonly #keys: readonly (readonly [counts: string, state: string])[]

  constructor({ courier, shards, crawl, engineTime }: ShardCallsOptions) {
    this.#courier = courier
    this.#engineTime = engineTime
    this.#keys = Array.from({ length: shards.count }, (_, shard) => [
      shards.crawlKey(shard, crawl, 'counts'),
      shards.fleetKey(shard, 'state'),
    ])
  }

  run(
    script: Script,
    shard: number,
    args: readonly (string | number)[],
    mayWait: Order['mayWait'] = false,
  ): Promise<unknown> {
    return this.#courier.ask({
      ...{ script, keys: this.#keys[shard]!, args: [this.#engineTime?.() ?? 0, ...args] },
      mayWait,
    })
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
        ...{ script, keys: some.map((shard) => this.#keys[shard]![0]), args: [time, ...args] },
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
      this.#reading = this.#numbersOf([...this.#keys.keys()])
      setImmediate(() => {
        this.#reading = undefined
      })
    }
    return this.#reading
  }

  async #numbersOf(shards: readonly number[]): Promise<Numbers[]> {
    const keys = shards.map((shard) => this.#keys[shard]![0])
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
