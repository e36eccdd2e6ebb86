/** How long "nothing is due" is believed, at first and at last: other workers may have offered something meanwhile. */
const firstLookMs = 1000
const longestLookMs = 5000
/** Who has released a host, or offered it, comes for it at once; others who have heard when it is due a little later. */
const othersLaterMs = 250

/**
 * When something is due in each shard, and when it is worth asking for it, by what this worker has done there and by what
 * the shard said last. So a worker with nothing to do asks each shard once in a while, and one with much to do asks those
 * that have something.
 */
export class ShardHints {
  /** By the worker's clock: by what it knows itself, something is due then. */
  readonly #sureAt: number[]
  /** When to look again. */
  readonly #lookAt: number[]
  /** As the shard said last; infinite when nothing waits for time to pass. */
  readonly #dueAt: number[]
  /** Nothing was heard of it, or nothing of that counts. */
  readonly #isDoubted: boolean[]
  readonly #aheadMs: number
  #next: number
  #lookMs = firstLookMs

  /** `aheadMs`: how far ahead of its time something can be leased. */
  constructor(shards: number, start: number, aheadMs = 0) {
    this.#aheadMs = aheadMs
    this.#sureAt = new Array(shards).fill(Number.NEGATIVE_INFINITY)
    this.#isDoubted = new Array(shards).fill(true)
    this.#lookAt = new Array(shards).fill(0)
    this.#dueAt = new Array(shards).fill(0)
    this.#next = start % shards
  }

  /** Those worth asking now: where something is known to be due, and where it may be; each time from another one on. */
  due(owned: readonly number[] | undefined, now: number): { readonly sure: number[]; readonly unsure: number[] } {
    const isSure = (shard: number) => this.#sureAt[shard]! <= now + this.#aheadMs
    const isWorthIt = (shard: number) => isSure(shard) || this.#lookAt[shard]! <= now
    const shards = (owned ?? this.#lookAt.keys().toArray()).filter(isWorthIt)
    const from = shards.findIndex((shard) => shard >= this.#next)
    const turned = from < 0 ? shards : [...shards.slice(from), ...shards.slice(0, from)]
    const { sure = [], unsure = [] } = Object.groupBy(turned, (of) => (isSure(of) ? 'sure' : 'unsure'))
    return { sure, unsure }
  }

  /** The next search begins after this shard. */
  turnTo(shard: number): void {
    this.#next = (shard + 1) % this.#lookAt.length
  }

  /** Something of this shard is due then, unless somebody else has come for it. */
  sooner(shard: number, at: number): void {
    this.#sureAt[shard] = Math.min(this.#sureAt[shard]!, at)
  }

  /** Nothing that was heard counts any more: the first lease of an engine that has just begun to serve finds that out. */
  doubt(): void {
    this.#sureAt.fill(Number.NEGATIVE_INFINITY)
    this.#isDoubted.fill(true)
  }

  isDoubted(shard: number): boolean {
    return this.#isDoubted[shard]!
  }

  /** What a shard has answered; null: nothing waits there. */
  heard(shard: number, now: number, dueInMs: number | null): void {
    this.#isDoubted[shard] = false
    if (this.#sureAt[shard]! <= now + this.#aheadMs) this.#sureAt[shard] = Number.POSITIVE_INFINITY
    if (dueInMs === 0) this.#sureAt[shard] = Number.NEGATIVE_INFINITY
    const dueMs = dueInMs ?? Number.POSITIVE_INFINITY
    this.#lookAt[shard] = now + Math.min(dueMs, this.#lookMs)
    this.#dueAt[shard] = now + dueMs
  }

  /** Whether the last search found something: the longer there was nothing, the less often to look. */
  searched(found: boolean): void {
    this.#lookMs = found ? firstLookMs : Math.min(this.#lookMs * 2, longestLookMs)
  }

  /** How long until something is due that is ours to lease, as far as is known; null: nothing waits for time to pass. */
  nextDueMs(owned: readonly number[] | undefined, now: number): number | null {
    return this.#soonestMs(owned, now, (shard) => Math.min(this.#sureAt[shard]!, this.#dueAt[shard]!))
  }

  /** How long until it is worth asking for it. */
  askInMs(owned: readonly number[] | undefined, now: number): number | null {
    return this.#soonestMs(owned, now, (shard) =>
      Math.min(this.#sureAt[shard]! - this.#aheadMs, this.#dueAt[shard]! + othersLaterMs),
    )
  }

  #soonestMs(owned: readonly number[] | undefined, now: number, momentIn: (shard: number) => number): number | null {
    const soonest = Math.min(...(owned ?? this.#dueAt.keys().toArray()).map(momentIn))
    return soonest === Number.POSITIVE_INFINITY ? null : Math.max(0, soonest - now)
  }
}
