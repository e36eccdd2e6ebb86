import type { Clock } from '../../../clock.ts'
import { Lately } from '../../../engines/redis/lately.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { Admission, type AdmissionTimes, type Fingerprinted } from './admission.ts'
import type { Applicant, Ask, Deciding } from './applicant.ts'
import { NearBuckets, type Original } from './near-buckets.ts'

export interface OverAClusterOptions {
  readonly base: string
  readonly ask: Ask
  readonly clock: Clock
  readonly times: AdmissionTimes
  /** Nobody can be told anything any more. */
  readonly isClosed: () => boolean
  /** Calls when a part of the originals may be forgotten. What it answers ends that. */
  readonly onNewEngine: (listener: () => void) => () => void
}

/**
 * Where no step can look at everything. A page asks its four buckets, which are spread over the nodes, and the records of
 * those that are near: that answers most near-duplicates. If there is none it goes to the one place where originals are
 * admitted one after the other, and where those still are that may not have been in the buckets when it read them. An
 * original is written to its buckets when its page has been answered already; if its worker dies before, the next page
 * that is admitted brings its writing with it. A node that is new is told again what was admitted lately, in both places: it
 * may have forgotten that.
 */
export class OverACluster implements Deciding {
  readonly #isClosed: () => boolean
  readonly #stopListening: () => void
  readonly #buckets: NearBuckets
  readonly #admission: Admission
  readonly #lately: Lately<Original>
  readonly #writing = new Set<Promise<void>>()
  #failure: unknown

  constructor({ base, ask, clock, times, isClosed, onNewEngine }: OverAClusterOptions) {
    this.#isClosed = isClosed
    this.#lately = new Lately(clock)
    this.#stopListening = onNewEngine(() => this.#finishLater(this.#remind()))
    this.#buckets = new NearBuckets(base, ask)
    this.#admission = new Admission(base, ask, clock, times)
  }

  async decide(pages: readonly Applicant[]): Promise<readonly (CanonicalUrl | undefined)[]> {
    if (this.#failure !== undefined) throw this.#failure
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
    pages: readonly Fingerprinted[],
    places: readonly number[],
    readAt: number,
    found: (CanonicalUrl | undefined)[],
  ): Promise<number[]> {
    const applicants = places.map((at) => pages[at]!)
    const { verdicts, orphans } = await this.#admission.decide(applicants, readAt)
    const originals = verdicts.flatMap((verdict) => (verdict.kind === 'original' ? [verdict.original] : []))
    this.#lately.add(originals)
    this.#write([...originals, ...orphans])
    for (const [n, verdict] of verdicts.entries()) if (verdict.kind === 'near') found[places[n]!] = verdict.url
    return places.filter((_, n) => verdicts[n]!.kind === 'late')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopListening()
    while (this.#writing.size > 0) await Promise.all(this.#writing)
    if (this.#failure !== undefined) throw this.#failure
    if (!this.#isClosed()) await this.#admission.flush()
  }

  async #remind(): Promise<void> {
    for (const originals of this.#lately.groups()) {
      if (this.#isClosed()) return
      this.#write(originals)
      await this.#admit(originals, [...originals.keys()], this.#admission.now(), [])
    }
  }

  #write(originals: readonly Original[]): void {
    if (originals.length === 0) return
    this.#finishLater(this.#buckets.write(originals).then(() => this.#admission.noteWritten(originals)))
  }

  #finishLater(task: Promise<void>): void {
    const writing = task
      .catch((error) => {
        this.#failure = error
      })
      .finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
  }
}
