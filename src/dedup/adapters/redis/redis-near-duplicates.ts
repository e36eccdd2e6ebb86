import type { Clock } from '../../../clock.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import { Courier } from '../../../engines/redis/courier.ts'
import { Gathering } from '../../../engines/redis/gathering.ts'
import type { Order } from '../../../engines/redis/order.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { NearDuplicates } from '../../near-duplicates.ts'
import { Admission, type AdmissionTimes, type Applicant } from './admission.ts'
import { fingerprintOf } from './fingerprint.ts'
import { NearBuckets, type Original } from './near-buckets.ts'

export interface RedisNearDuplicatesOptions extends Partial<AdmissionTimes> {
  readonly client: RedisClient
  /** Shared by all who use this client. Left out: one of its own. */
  readonly courier?: Courier
  readonly prefix: string
  readonly crawl: string
  readonly clock: Clock
}

/** A script that decides on more at once would keep others waiting. */
const pagesInACall = 100

/**
 * Near-duplicates of a crawl, over all its workers. Pages that come at the same time travel together. A page asks its four buckets, which are spread over a Cluster, and the
 * records of those that are near: that answers most near-duplicates. If there is none it goes to the one place where
 * originals are admitted one after the other, and where those still are that may not have been in the buckets when it
 * read them. An original is written to its buckets when its page has been answered already; if its worker dies before,
 * the next page that is admitted brings its writing with it.
 */
export class RedisNearDuplicates implements NearDuplicates {
  readonly #courier: Courier
  readonly #buckets: NearBuckets
  readonly #admission: Admission
  readonly #pages = new Gathering<Applicant, CanonicalUrl | undefined>(pagesInACall, (pages) => this.#findOrAdd(pages))
  readonly #writing = new Set<Promise<void>>()
  #failure: unknown

  constructor(options: RedisNearDuplicatesOptions) {
    const { client, prefix, crawl, clock, staysMs = 10_000, orphanedMs = 5000 } = options
    this.#courier = options.courier ?? new Courier({ client })
    const base = `${prefix}:near:${crawl}`
    const ask = (orders: readonly Order[]) =>
      this.#courier.askAll(
        orders.map((order) => ({ mayWait: 'briefly', ...order }) as const),
        'bytes',
      )
    this.#buckets = new NearBuckets(base, this.#courier.mayJoinKeys, ask)
    this.#admission = new Admission(base, ask, clock, { staysMs, orphanedMs })
  }

  /** Pipelines sent so far. */
  get trips(): number {
    return this.#courier.trips
  }

  async findOrAdd(url: CanonicalUrl, simhash: string): Promise<CanonicalUrl | undefined> {
    if (this.#failure !== undefined) throw this.#failure
    const fingerprint = fingerprintOf(simhash)
    if (!fingerprint) return undefined
    const [found] = await this.#pages.add([{ url, fingerprint }])
    return found
  }

  async #findOrAdd(pages: readonly Applicant[]): Promise<readonly (CanonicalUrl | undefined)[]> {
    const found = new Array<CanonicalUrl | undefined>(pages.length).fill(undefined)
    for (let left = [...pages.keys()]; left.length > 0; ) {
      const readAt = this.#admission.now()
      const near = await this.#buckets.near(left.map((at) => pages[at]!.fingerprint))
      // A page that is near to its own earlier self is an original still, and is remembered already.
      for (const [n, at] of left.entries()) found[at] = near[n]!.find(({ url }) => url !== pages[at]!.url)?.url
      const unlike = left.filter((_, n) => near[n]!.length === 0)
      left = unlike.length === 0 ? [] : await this.#admit(pages, unlike, readAt, found)
    }
    return found
  }

  /** Answers who came too late and must read the buckets again. */
  async #admit(
    pages: readonly Applicant[],
    places: readonly number[],
    readAt: number,
    found: (CanonicalUrl | undefined)[],
  ): Promise<number[]> {
    const applicants = places.map((at) => pages[at]!)
    const { verdicts, orphans } = await this.#admission.decide(applicants, readAt)
    const originals = verdicts.flatMap((verdict) => (verdict.kind === 'original' ? [verdict.original] : []))
    this.#write([...originals, ...orphans])
    for (const [n, verdict] of verdicts.entries()) if (verdict.kind === 'near') found[places[n]!] = verdict.url
    return places.filter((_, n) => verdicts[n]!.kind === 'late')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#writing)
    if (this.#failure !== undefined) throw this.#failure
    if (!this.#courier.isClosed) await this.#admission.flush()
  }

  #write(originals: readonly Original[]): void {
    if (originals.length === 0) return
    const writing = this.#buckets
      .write(originals)
      .then(() => this.#admission.noteWritten(originals))
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
