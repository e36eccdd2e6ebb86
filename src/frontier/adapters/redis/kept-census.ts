import type { Clock } from '../../../clock.ts'
import type { Script } from '../../../engines/redis/script.ts'
import type { HostQuery } from '../../ledger.ts'
import { type CensusAnswer, HostCensus } from './host-census.ts'
import type { ShardCalls } from './shard-calls.ts'

export interface KeptCensusOptions {
  readonly calls: ShardCalls
  readonly script: Script
  readonly shards: number
  readonly clock: Clock
  /** Whether hosts are to be sorted by their pace: it is read only if so. */
  readonly hasPace: boolean
}

interface Taken {
  readonly census: HostCensus
  readonly at: number
  readonly tookMs: number
}

/** One that took a second is good for so many: looking costs the engine a twentieth of its time at most. */
const goodForTimes = 20
/** Nobody has looked for so long: it is let go. */
const forgottenMs = 300_000
const shardsAtOnce = 4

/** A census for all who look. One that has grown old is still answered from while the next is taken. */
export class KeptCensus implements Disposable {
  readonly #options: KeptCensusOptions
  #taken: Taken | undefined
  #taking: Promise<Taken> | undefined
  #forgetting = new AbortController()

  constructor(options: KeptCensusOptions) {
    this.#options = options
  }

  async find(query: HostQuery): Promise<CensusAnswer & { readonly ageMs: number }> {
    const { census, at } = await this.#current()
    this.#forgetLater()
    return { ...(await census.find(query)), ageMs: this.#options.clock.now() - at }
  }

  [Symbol.dispose](): void {
    this.#forgetting.abort()
    this.#taken = undefined
  }

  #forgetLater(): void {
    this.#forgetting.abort()
    const forgetting = new AbortController()
    this.#forgetting = forgetting
    void this.#options.clock.sleep(forgottenMs, forgetting.signal).then(() => {
      if (!forgetting.signal.aborted) this.#taken = undefined
    })
  }

  #current(): Taken | Promise<Taken> {
    const { clock } = this.#options
    const taken = this.#taken
    if (taken && clock.now() - taken.at <= goodForTimes * taken.tookMs) return taken
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined
    })
    if (!taken) return this.#taking
    // That it failed is seen by its age; the next question tries again.
    this.#taking.catch(() => {})
    return taken
  }

  async #take(): Promise<Taken> {
    const { shards, clock } = this.#options
    const census = new HostCensus()
    const at = clock.now()
    const waiting = Array.from({ length: shards }, (_, shard) => shard)
    const reader = async () => {
      for (let shard = waiting.pop(); shard !== undefined; shard = waiting.pop()) await this.#read(shard, census)
    }
    await Promise.all(Array.from({ length: shardsAtOnce }, reader))
    this.#taken = { census, at, tookMs: clock.now() - at }
    return this.#taken
  }

  async #read(shard: number, census: HostCensus): Promise<void> {
    const { calls, script, hasPace } = this.#options
    for (let bucket = 0; bucket >= 0; ) {
      const [next, lines] = (await calls.run(script, shard, [bucket, hasPace ? 1 : 0])) as [number, string]
      census.add(lines)
      bucket = next
    }
  }
}
