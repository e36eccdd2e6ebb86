import type { CanonicalUrl } from '../url/keys.ts'
import type { ScopeRefusal } from '../url/scope.ts'

const MAX_CHARS = 4_000_000
const MAX_TARGETS = 1 << 16
/** Of each target: the last page that linked to it, and the marks below; side by side, so that they come as one. */
const WIDTH = 2
const OFFERED = 1
const REFUSED = 2

/**
 * What links lead to, by numbers, in bounded memory: when it is full it forgets everything and begins anew. Pages of a site
 * share most of their links, so what is asked for each link of each page stands close together in arrays of its own: it is
 * memory that such a question waits for.
 */
export class LinkTargets {
  readonly #numbers = new Map<CanonicalUrl, number>()
  readonly #urls: CanonicalUrl[] = []
  readonly #verdicts: (ScopeRefusal | undefined)[] = []
  readonly #states = new Int32Array(MAX_TARGETS * WIDTH)
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
    return (this.#states[number * WIDTH + 1]! & OFFERED) !== 0
  }

  /** Offered, and nothing speaks against it: nearly all that pages link to again. */
  isSettled(number: number): boolean {
    return this.#states[number * WIDTH + 1] === OFFERED
  }

  offered(number: number): void {
    this.#states[number * WIDTH + 1]! |= OFFERED
  }

  /** A page links to it; false: that is known. */
  link(number: number, page: number): boolean {
    if (this.#states[number * WIDTH] === page) return false
    this.#states[number * WIDTH] = page
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
    const verdict = this.#judge(url)
    this.#verdicts.push(verdict)
    this.#states[number * WIDTH] = 0
    this.#states[number * WIDTH + 1] = verdict ? REFUSED : 0
    return number
  }
}
