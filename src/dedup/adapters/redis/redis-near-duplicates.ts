import type { Clock } from '../../../clock.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import { patiently } from '../../../engines/redis/patience.ts'
import { Turn, type TurnOrder } from '../../../engines/redis/turn.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { NearDuplicates } from '../../near-duplicates.ts'
import { Admission, type AdmissionTimes } from './admission.ts'
import { fingerprintOf } from './fingerprint.ts'
import { NearBuckets, type Original } from './near-buckets.ts'

export interface RedisNearDuplicatesOptions extends Partial<AdmissionTimes> {
  readonly client: RedisClient
  readonly prefix: string
  readonly crawl: string
  readonly clock: Clock
}

/**
 * Near-duplicates of a crawl, over all its workers. A page asks its four buckets, which are spread over a Cluster, and the
 * records of those that are near: that answers most near-duplicates. If there is none it goes to the one place where
 * originals are admitted one after the other, and where those still are that may not have been in the buckets when it
 * read them. An original is written to its buckets when its page has been answered already; if its worker dies before,
 * the next page that is admitted brings its writing with it.
 */
export class RedisNearDuplicates implements NearDuplicates {
  readonly #client: RedisClient
  readonly #turn: Turn
  readonly #buckets: NearBuckets
  readonly #admission: Admission
  readonly #writing = new Set<Promise<void>>()
  #failure: unknown

  constructor({ client, prefix, crawl, clock, staysMs = 10_000, orphanedMs = 5000 }: RedisNearDuplicatesOptions) {
    this.#client = client
    this.#turn = new Turn(client)
    const base = `${prefix}:near:${crawl}`
    const ask = (orders: readonly TurnOrder[]) => patiently(client, clock, () => this.#turn.askAll(orders))
    this.#buckets = new NearBuckets(base, this.#turn, ask)
    this.#admission = new Admission(base, ask, clock, { staysMs, orphanedMs })
  }

  /** Pipelines sent so far. */
  get trips(): number {
    return this.#turn.trips
  }

  async findOrAdd(url: CanonicalUrl, simhash: string): Promise<CanonicalUrl | undefined> {
    if (this.#failure !== undefined) throw this.#failure
    const fingerprint = fingerprintOf(simhash)
    if (!fingerprint) return undefined
    for (;;) {
      const readAt = this.#admission.now()
      const near = await this.#buckets.near(fingerprint)
      // A page that is near to its own earlier self is an original still, and is remembered already.
      if (near.length > 0) return near.find((original) => original.url !== url)?.url
      const { verdict, orphans } = await this.#admission.decide(url, fingerprint, readAt)
      for (const orphan of orphans) this.#write(orphan)
      switch (verdict.kind) {
        case 'late':
          continue
        case 'near':
          return verdict.url
        case 'own':
          return undefined
        case 'original':
          this.#write(verdict.original)
          return undefined
        default:
          return verdict satisfies never
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#writing)
    if (this.#failure !== undefined) throw this.#failure
    if (this.#client.status !== 'end') await this.#admission.flush()
  }

  #write(original: Original): void {
    const writing = this.#buckets
      .write(original)
      .then(() => this.#admission.noteWritten(original))
      .catch((error) => {
        this.#failure = error
      })
      .finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
  }
}

export function redisNearDuplicates(options: RedisNearDuplicatesOptions): NearDuplicates {
  return new RedisNearDuplicates(options)
}
