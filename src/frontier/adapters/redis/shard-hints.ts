/** How long "nothing is due" is believed, at first and at last: other workers may have offered something meanwhile. */
const firstLookMs = 1000
const longestLookMs = 5000

/**
 * When something is due in each shard, and when it is worth asking for it, by what the shard said last. So a worker with
 * nothing to do asks each shard once in a while, and one with much to do asks those that have something.
 */
export class ShardHints {
  /** By the worker's clock. 0: ask at once. */
  readonly #askAt: number[]
  /** As far as is known; infinite when nothing waits for time to pass. 0: nothing is known, or it is due. */
  readonly #dueAt: number[]
  #next: number
  #lookMs = firstLookMs

  constructor(shards: number, start: number) {
    this.#askAt = new Array(shards).fill(0)
    this.#dueAt = new Array(shards).fill(0)
    this.#next = start % shards
  }

  /** Those worth asking now: where something is known to be due, and where it may be; each time from another one on. */
  due(owned: readonly number[] | undefined, now: number): { readonly sure: number[]; readonly unsure: number[] } {
    const shards = (owned ?? this.#askAt.keys().toArray()).filter((shard) => this.#askAt[shard]! <= now)
    const from = shards.findIndex((shard) => shard >= this.#next)
    const turned = from < 0 ? shards : [...shards.slice(from), ...shards.slice(0, from)]
    const { sure = [], unsure = [] } = Object.groupBy(turned, (of) => (this.#dueAt[of]! <= now ? 'sure' : 'unsure'))
    return { sure, unsure }
  }

  /** The next search begins after this shard. */
  turnTo(shard: number): void {
    this.#next = (shard + 1) % this.#askAt.length
  }

  /** Something of this shard may be due then. */
  sooner(shard: number, at: number): void {
    this.#askAt[shard] = Math.min(this.#askAt[shard]!, at)
    this.#dueAt[shard] = Math.min(this.#dueAt[shard]!, at)
  }

  /** Nothing that was heard counts any more: the first lease of an engine that has just begun to serve finds that out. */
  doubt(): void {
    this.#askAt.fill(0)
    this.#dueAt.fill(0)
  }

  /** What a shard has answered; null: nothing waits there. */
  heard(shard: number, now: number, dueInMs: number | null): void {
    this.#askAt[shard] = now + Math.min(dueInMs ?? this.#lookMs, this.#lookMs)
    this.#dueAt[shard] = dueInMs === null ? Number.POSITIVE_INFINITY : now + dueInMs
  }

  /** Whether the last search found something: the longer there was nothing, the less often to look. */
  searched(found: boolean): void {
    this.#lookMs = found ? firstLookMs : Math.min(this.#lookMs * 2, longestLookMs)
  }

  /** How long until something is due that is ours to lease, as far as is known; null: nothing waits for time to pass. */
  nextDueMs(owned: readonly number[] | undefined, now: number): number | null {
    const soonest = Math.min(...(owned ? owned.map((shard) => this.#dueAt[shard]!) : this.#dueAt))
    return Number.isFinite(soonest) ? Math.max(0, soonest - now) : null
  }
}
