import type { Clock } from '../../../clock.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { NearDuplicates } from '../../near-duplicates.ts'
import {
  BLOCKS,
  type Block,
  bytesOf,
  decidingBlock,
  type Fingerprint,
  fingerprintOf,
  isSame,
  MEMBER_BYTES,
  nearIn,
} from './fingerprint.ts'
import { type Bucket, NearBuckets } from './near-buckets.ts'
import type { NearRecord } from './record.ts'

export interface RedisNearDuplicatesOptions {
  readonly client: RedisClient
  readonly prefix: string
  readonly crawl: string
  readonly clock: Clock
  /** How long the worker that is about to decide may take; then it counts as dead. */
  readonly patienceMs?: number
}

/**
 * Near-duplicates of a crawl, over all its workers. A page asks its four buckets, and the records of those that are near:
 * that answers a near-duplicate. Otherwise it puts itself into the four buckets and enters its record, at the same time.
 *
 * Two near pages that come at the same moment share a block, and the bucket of the first block that they share decides
 * which was before the other: the later one sees the earlier there, waits for its decision, and gives way to it. A record
 * is undecided until its worker has seen that nothing was before it. A worker that dies in between is waited for once.
 */
export class RedisNearDuplicates implements NearDuplicates {
  readonly #buckets: NearBuckets
  readonly #clock: Clock
  readonly #patienceMs: number
  readonly #confirming = new Set<Promise<void>>()
  #failure: unknown

  constructor({ client, prefix, crawl, clock, patienceMs = 2000 }: RedisNearDuplicatesOptions) {
    this.#buckets = new NearBuckets(client, prefix, crawl, clock)
    this.#clock = clock
    this.#patienceMs = patienceMs
  }

  /** Trips to an engine so far. */
  get trips(): number {
    return this.#buckets.trips
  }

  async findOrAdd(url: CanonicalUrl, simhash: string): Promise<CanonicalUrl | undefined> {
    if (this.#failure !== undefined) throw this.#failure
    const ours = fingerprintOf(simhash)
    if (!ours) return undefined
    const buckets = await this.#buckets.read(ours)
    const found = await this.#originals(allNear(buckets, ours), url)
    const other = found.find((record) => record.url !== url)
    if (other) return other.url
    // A page that is near to its own earlier self is an original still, and is remembered already.
    return found.some(({ state }) => state === 'original') ? undefined : this.#add(url, simhash, ours, buckets)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#confirming)
    if (this.#failure !== undefined) throw this.#failure
  }

  async #add(url: CanonicalUrl, simhash: string, ours: Fingerprint, seen: readonly Bucket[]) {
    const { record, wasWithdrawn, tails } = await this.#buckets.enter(ours, url, seen)
    if (record.url !== url) {
      // Another page with the very same fingerprint was first; unless it gives way to yet another.
      const [first] = await this.#decided([ours], url)
      return first ? first.url : this.findOrAdd(url, simhash)
    }
    const buckets = BLOCKS.map((block) => withTail(seen[block]!, tails[block]!))
    // Whoever had us withdrawn did not wait for us: then all that is near counts, wherever it is.
    const before = wasWithdrawn ? allNear(buckets, ours) : beforeUs(buckets, ours)
    const others = before.filter((near) => !isSame(near, ours))
    const decided = others.length > 0 ? await this.#decided(others, url) : []
    const earlier = decided.find((record) => record.url !== url)
    if (earlier) {
      const decision = await this.#buckets.decide(ours, 'withdrawn', url)
      return decision?.state === 'original' ? undefined : earlier.url
    }
    this.#confirm(url, ours)
    return undefined
  }

  /** Nobody waits for it: who meets the record before it is confirmed looks again a moment later. */
  #confirm(url: CanonicalUrl, ours: Fingerprint): void {
    const confirming = this.#buckets
      .decide(ours, 'original', url)
      .then(() => {})
      .catch((error) => {
        this.#failure = error
      })
      .finally(() => this.#confirming.delete(confirming))
    this.#confirming.add(confirming)
  }

  /** Originals among these, the earliest first. Who has no record is not yet one, or never became one. */
  async #originals(near: readonly Fingerprint[], url: CanonicalUrl): Promise<NearRecord[]> {
    const records = await this.#buckets.records(near)
    const isOpen = (record: NearRecord | undefined) => record?.state === 'undecided' && record.url !== url
    if (!records.some(isOpen)) return originalsIn(records, url)
    return this.#decided(
      near.filter((_, at) => records[at] !== undefined),
      url,
    )
  }

  /** Waits until something has been decided about each of these, and decides itself when that takes too long. */
  async #decided(near: readonly Fingerprint[], url: CanonicalUrl): Promise<NearRecord[]> {
    const deadline = this.#clock.now() + this.#patienceMs
    for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 50)) {
      const records = await this.#buckets.records(near)
      const isOpen = (record: NearRecord | undefined) => !record || (record.state === 'undecided' && record.url !== url)
      if (!records.some(isOpen)) return originalsIn(records, url)
      if (this.#clock.now() >= deadline) return this.#decideFor(near, records, url)
      await this.#clock.sleep(waitMs)
    }
  }

  /** Those who entered a record have seen nothing before them, as far as anyone knows; those without never will be. */
  async #decideFor(near: readonly Fingerprint[], records: readonly (NearRecord | undefined)[], url: CanonicalUrl) {
    const decided = near.map(async (one, at) => {
      if (!records[at]) return this.#buckets.giveUp(one)
      return records[at].url === url ? records[at] : this.#buckets.decide(one, 'original', '')
    })
    return originalsIn(await Promise.all(decided), url)
  }
}

export function redisNearDuplicates(options: RedisNearDuplicatesOptions): NearDuplicates {
  return new RedisNearDuplicates(options)
}

/** A record of our own counts also before it was confirmed: its worker died, or is this one. */
function originalsIn(records: readonly (NearRecord | undefined)[], url: CanonicalUrl): NearRecord[] {
  return records
    .filter((record) => record !== undefined)
    .filter((record) => record.state === 'original' || (record.state === 'undecided' && record.url === url))
    .sort((a, b) => a.enteredAtUs - b.enteredAtUs)
}

function allNear(buckets: readonly Bucket[], ours: Fingerprint): Fingerprint[] {
  const found = new Map<string, Fingerprint>()
  for (const block of BLOCKS)
    for (const { near } of nearIn(buckets[block]!.members, ours, block)) found.set(bytesOf(near).toString('hex'), near)
  return [...found.values()]
}

/** Those that stand before us in the bucket that decides between us. */
function beforeUs(buckets: readonly Bucket[], ours: Fingerprint): Fingerprint[] {
  return BLOCKS.flatMap((block) => {
    const near = [...nearIn(buckets[block]!.members, ours, block)]
    const place = near.find((one) => isSame(one.near, ours))?.at ?? Number.POSITIVE_INFINITY
    return near.filter((one) => one.at < place && decides(block, one.near, ours)).map((one) => one.near)
  })
}

function decides(block: Block, a: Fingerprint, b: Fingerprint): boolean {
  return decidingBlock(a, b) === block
}

function withTail({ members, end }: Bucket, tail: Buffer): Bucket {
  return { members: Buffer.concat([members, tail]), end: end + tail.length / MEMBER_BYTES }
}
