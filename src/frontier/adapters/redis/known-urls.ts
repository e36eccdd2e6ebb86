import { type BloomFilter, bloomFilter } from '../../../dedup/bloom.ts'

/** `known`: the engine has said so. `perhaps`: ask by fingerprint. `new`: surely not heard of here; offer it whole. */
export type Memory = 'known' | 'perhaps' | 'new'

/** Wrong guesses of the filter that are put up with, and how many guesses tell. */
const tolerated = 0.01
const enoughGuesses = 2000

/**
 * What a worker remembers of the seen set, whose truth is in the engine: most links lead to URLs that were seen before,
 * and those should cost little.
 *
 * Two tiers. A table of the fingerprints that the engine has confirmed lately, exact but small, where a newer one takes
 * the place of an older: what is there needs no question. And a Bloom filter of all that this worker has heard of: what
 * it takes for known is asked about by fingerprint alone, a tenth of what an offer costs. So a wrong guess of the filter
 * costs a question and never a page. What the filter does not know is offered whole: other workers may have seen it.
 */
export class KnownUrls {
  readonly #recent: Float64Array
  #filter: BloomFilter
  #guesses = 0
  #wrong = 0

  constructor(recentUrls: number, expectedUrls: number) {
    this.#recent = new Float64Array(recentUrls).fill(-1)
    this.#filter = bloomFilter(expectedUrls)
  }

  recall(fingerprint: number): Memory {
    if (this.#recent[fingerprint % this.#recent.length] === fingerprint) return 'known'
    return this.#filter.mayHave(fingerprint) ? 'perhaps' : 'new'
  }

  /** The engine knows it now. */
  confirm(fingerprint: number): void {
    if (this.#recent.length > 0) this.#recent[fingerprint % this.#recent.length] = fingerprint
    this.#filter.add(fingerprint)
  }

  /** Whether the engine knew what the filter took for known. */
  guessed(right: boolean): void {
    this.#guesses++
    if (!right) this.#wrong++
  }

  /** The filter is wrong too often: it was made for fewer URLs, or the engine has forgotten some. */
  get isWorn(): boolean {
    return this.#guesses >= enoughGuesses && this.#wrong > tolerated * this.#guesses
  }

  /** The engine may have forgotten what it said a moment ago: it was restarted, or another took over. */
  doubt(): void {
    this.#recent.fill(-1)
  }

  /** Takes a new filter, made of what the engine has. */
  renew(filter: BloomFilter): void {
    this.#filter = filter
    this.keep()
  }

  /** Goes on with the filter there is, and begins anew to count how often it is wrong. */
  keep(): void {
    this.#guesses = 0
    this.#wrong = 0
  }

  get filterBytes(): number {
    return this.#filter.bytes
  }
}
