import type { Clock } from '../../../clock.ts'

/**
 * URLs that were carried a moment ago and need not be sent again: navigation, which every page of a site links to. Exact,
 * bounded by number and by age. By age, since a scheduling engine that lost its last second is healed by offering again.
 */
export class RecentlyCarried {
  readonly #clock: Clock
  readonly #maxUrls: number
  readonly #maxAgeMs: number
  #newer = new Set<string>()
  #older = new Set<string>()
  #newerSince: number

  constructor(clock: Clock, maxUrls = 100_000, maxAgeMs = 30_000) {
    this.#clock = clock
    this.#maxUrls = maxUrls
    this.#maxAgeMs = maxAgeMs
    this.#newerSince = clock.now()
  }

  has(url: string): boolean {
    this.#forget()
    return this.#newer.has(url) || this.#older.has(url)
  }

  add(url: string): void {
    this.#forget()
    this.#newer.add(url)
  }

  #forget(): void {
    const ageMs = this.#clock.now() - this.#newerSince
    if (ageMs < this.#maxAgeMs / 2 && this.#newer.size < this.#maxUrls / 2) return
    this.#older = ageMs < this.#maxAgeMs ? this.#newer : new Set()
    this.#newer = new Set()
    this.#newerSince = this.#clock.now()
  }
}
