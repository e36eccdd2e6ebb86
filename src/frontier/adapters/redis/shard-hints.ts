/** How long "nothing is due" is believed: other workers may have offered something meanwhile. */
const lookMs = 1000
/** How often it looks into shards that are nearer to others, and so how long those have to come for what is due there. */
const farLookMs = 2500
/** Who has released a host, or offered it, comes for it at once; others who have heard when it is due a little later. */
const othersLaterMs = 250

export interface ShardHintsOptions {
  /** The search begins with this one. */
  readonly start: number
  /** How far ahead of its time something can be leased. */
  readonly aheadMs?: number
  /** Whether a shard is this worker's own to serve. Left out: all are. */
  readonly isNear?: ((shard: number) => boolean) | undefined
}

/**
 * When something is due in each shard, and when it is worth asking for it, by what this worker has done there and by what
 * the shard said last. So a worker with nothing to do asks each shard once in a while, and one with much to do asks those
 * that have something. Shards that are nearer to another worker are left to that one: only what it has not come for
 * between two looks may be taken.
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
  /** How often in a row something was due there. */
  readonly #dueTimes: number[]
  readonly #aheadMs: number
  readonly #isNear: (shard: number) => boolean
  #next: number

  constructor(shards: number, { start, aheadMs = 0, isNear = () => true }: ShardHintsOptions) {
    this.#aheadMs = aheadMs
    this.#isNear = isNear
    this.#dueTimes = new Array(shards).fill(0)
    this.#sureAt = new Array(shards).fill(Number.NEGATIVE_INFINITY)
    this.#isDoubted = new Array(shards).fill(true)
    this.#lookAt = new Array(shards).fill(0)
    this.#dueAt = new Array(shards).fill(0)
    this.#next = start % shards
  }

  /**
   * Those worth asking now: where something is known to be due, and where it may be; each time from another one on. Own
   * shards come first.
   */
  due(owned: readonly number[] | undefined, now: number): { readonly sure: number[]; readonly unsure: number[] } {
    const isWorthIt = (shard: number) => this.isSure(shard, now) || this.#lookAt[shard]! <= now
    const shards = (owned ?? this.#lookAt.keys().toArray()).filter(isWorthIt)
    const from = shards.findIndex((shard) => shard >= this.#next)
    const turned = from < 0 ? shards : [...shards.slice(from), ...shards.slice(0, from)]
    const sure = turned.filter((shard) => this.isSure(shard, now))
    return {
      sure: [...sure.filter((shard) => this.#isNear(shard)), ...sure.filter((shard) => !this.#isNear(shard))],
      unsure: turned.filter((shard) => !this.isSure(shard, now)),
    }
  }

  /** Whether something can be leased there that is not better left to others. */
  isSure(shard: number, now: number): boolean {
    return this.#isNear(shard) ? this.#sureAt[shard]! <= now + this.#aheadMs : this.#isLeft(shard)
  }

  /** Whoever is nearer has not come for it. */
  #isLeft(shard: number): boolean {
    return this.#dueTimes[shard]! > 1
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
    this.#dueTimes[shard] = dueInMs === 0 ? this.#dueTimes[shard]! + 1 : 0
    const dueMs = dueInMs ?? Number.POSITIVE_INFINITY
    this.#lookAt[shard] = now + (this.#isNear(shard) ? Math.min(dueMs, lookMs) : farLookMs)
    this.#dueAt[shard] = now + dueMs
  }

  /** How long until something is due that is ours to lease, as far as is known; null: nothing waits for time to pass. */
  nextDueMs(owned: readonly number[] | undefined, now: number): number | null {
    return this.#soonestMs(owned, now, (shard) => Math.min(this.#sureAt[shard]!, this.#dueAt[shard]!))
  }

  /** How long until it is worth asking for it. */
  askInMs(owned: readonly number[] | undefined, now: number): number | null {
    return this.#soonestMs(owned, now, (shard) => {
      if (!this.#isNear(shard)) return this.#isLeft(shard) ? now : Number.POSITIVE_INFINITY
      return Math.min(this.#sureAt[shard]! - this.#aheadMs, this.#dueAt[shard]! + othersLaterMs)
    })
  }

  #soonestMs(owned: readonly number[] | undefined, now: number, momentIn: (shard: number) => number): number | null {
    const soonest = Math.min(...(owned ?? this.#dueAt.keys().toArray()).map(momentIn))
    return soonest === Number.POSITIVE_INFINITY ? null : Math.max(0, soonest - now)
  }
}
