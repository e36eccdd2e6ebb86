import type { CanonicalUrl } from '../url/keys.ts'
import type { ScopeRefusal } from '../url/scope.ts'

const MAX_CHARS = 4_000_000
const MAX_TARGETS = 1 << 16

/**
 * What links lead to, by numbers, in bounded memory: when it is full it forgets everything and begins anew. Pages of a site
 * share most of their links, so what is asked for each link of each page stands close together in arrays of its own: it is
 * memory that such a question waits for.
 */
export class LinkTargets {
  readonly #numbers = new Map<CanonicalUrl, number>()
  readonly #urls: CanonicalUrl[] = []
  readonly #verdicts: (ScopeRefusal | undefined)[] = []
  readonly #areOffered = new Uint8Array(MAX_TARGETS)
  /** The last page that linked to it. */
  readonly #pages = new Int32Array(MAX_TARGETS)
  readonly #judge: (url: CanonicalUrl) => ScopeRefusal | undefined
  readonly #onForget: () => void
  #chars = 0

  /** Numbers that were given before `onForget` mean nothing after it. */
  constructor(judge: (url: CanonicalUrl) => ScopeRefusal | undefined, onForget: () => void) {
    this.#judge = judge
    this.#onForget = onForget
  }

  numberOf(url: CanonicalUrl): number {
    return this.#numbers.get(url) ?? this.#add(url)
  }

  urlOf(number: number): CanonicalUrl {
    return this.#urls[number]!
  }

  verdictOn(number: number): ScopeRefusal | undefined {
    return this.#verdicts[number]
  }

  isOffered(number: number): boolean {
    return this.#areOffered[number] !== 0
  }

  offered(number: number): void {
    this.#areOffered[number] = 1
  }

  /** A page links to it; false: that is known. */
  link(number: number, page: number): boolean {
    if (this.#pages[number] === page) return false
    this.#pages[number] = page
    return true
  }

  forget(): void {
    this.#numbers.clear()
    this.#urls.length = this.#verdicts.length = this.#chars = 0
    this.#onForget()
  }

  #add(url: CanonicalUrl): number {
    this.#chars += url.length
    if (this.#chars > MAX_CHARS || this.#urls.length === MAX_TARGETS) this.forget()
    const number = this.#urls.length
    this.#numbers.set(url, number)
    this.#urls.push(url)
    this.#verdicts.push(this.#judge(url))
    this.#areOffered[number] = 0
    this.#pages[number] = 0
    return number
  }
}
