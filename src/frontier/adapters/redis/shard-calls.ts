import type { Courier } from '../../../engines/redis/courier.ts'
import type { Order } from '../../../engines/redis/order.ts'
import { type Script, scriptOf } from '../../../engines/redis/script.ts'
import type { Shards } from '../../../engines/redis/shards.ts'

const addNumbers = scriptOf(new URL('./scripts/numbers.lua', import.meta.url))

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
  #reading: Promise<CrawlNumbers> | undefined
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
    return (await this.#numbersOf([shard])).numbers
  }

  /** In one order, where one may name keys of all shards. Who asks in the same turn is given the same answer. */
  numbersOfAll(): Promise<CrawlNumbers> {
    if (!this.#reading) {
      this.#reading = this.#numbersOf([...this.#keys.keys()])
      setImmediate(() => {
        this.#reading = undefined
      })
    }
    return this.#reading
  }

  async #numbersOf(shards: readonly number[]): Promise<CrawlNumbers> {
    const together = this.#courier.mayJoinKeys ? [shards] : shards.map((shard) => [shard])
    const answers = (await this.#courier.askAll(
      together.map((some) => ({ script: addNumbers, keys: some.map((shard) => this.#keys[shard]![0]) })),
    )) as NumbersReply[]
    const numbers = new Map<string, number>()
    let [openShard, leasedShard]: (number | undefined)[] = []
    for (const [n, [open, leased, ...pairs]] of answers.entries()) {
      openShard ??= together[n]![open - 1]
      leasedShard ??= together[n]![leased - 1]
      for (let at = 0; at < pairs.length; at += 2) {
        const name = pairs[at]!
        numbers.set(name, (numbers.get(name) ?? 0) + Number(pairs[at + 1]))
      }
    }
    return { numbers, openShard, leasedShard }
  }
}

type Numbers = ReadonlyMap<string, number>

/** As numbers.lua answers it. */
type NumbersReply = readonly [open: number, leased: number, ...namesAndSums: string[]]

/** Counts and sums of a crawl, over shards. */
export interface CrawlNumbers {
  readonly numbers: Numbers
  /** One of them in which something is queued or leased. */
  readonly openShard: number | undefined
  /** One in which something is leased. */
  readonly leasedShard: number | undefined
}
