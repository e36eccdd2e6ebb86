import type { Clock } from '../clock.ts'

const keptMs = 1000
const mostKept = 1000

interface Kept {
  readonly at: number
  readonly answer: Promise<unknown>
}

/**
 * Many who look ask the same at the same time: within a second they are given one answer, which is made, put into words
 * and packed once. Whoever changes something sees it at once; what others change, or the crawl, a second later.
 */
export class SharedAnswers {
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The answer to a question; who asks while it is being made waits for it. What failed is asked again. */
  to<T>(question: string, make: () => Promise<T>): Promise<T> {
    const now = this.#clock.now()
    const known = this.#kept.get(question)
    if (known && now - known.at < keptMs) return known.answer as Promise<T>
    const kept = { at: now, answer: make() }
    this.#kept.delete(question)
    this.#kept.set(question, kept)
    this.#makeRoom(now)
    kept.answer.catch(() => {
      if (this.#kept.get(question) === kept) this.#kept.delete(question)
    })
    return kept.answer
  }

  /** Something has changed. */
  forget(): void {
    this.#kept.clear()
  }

  /** The oldest are the first of the map. */
  #makeRoom(now: number): void {
    for (const [question, { at }] of this.#kept) {
      if (now - at < keptMs && this.#kept.size <= mostKept) return
      this.#kept.delete(question)
    }
  }
}
