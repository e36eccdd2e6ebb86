import type { Band } from './frontier.ts'

export const bands = ['high', 'medium', 'low'] as const satisfies readonly Band[]
export type BandNumber = 0 | 1 | 2
export const bandNumbers: readonly BandNumber[] = [0, 1, 2]

/** A link's band follows from its page's: from high comes medium, from medium and low comes low. */
export function bandOfLink(parent: Band): Band {
  return parent === 'high' ? 'medium' : 'low'
}

/**
 * Shares out visits between bands by weight (70 : 20 : 10), counted in URLs. The band that is furthest behind its share
 * is next; a band that had nothing to offer meanwhile starts level with the others and does not catch up.
 */
export class BandShares {
  readonly #weights: readonly number[]
  readonly #served = [0, 0, 0]
  readonly #absent = [true, true, true]

  constructor(weights: readonly number[] = [70, 20, 10]) {
    this.#weights = weights
  }

  /** The band to serve, of those that have something. */
  next(available: (band: BandNumber) => boolean): BandNumber | undefined {
    let best: BandNumber | undefined
    const present = bandNumbers.filter((band) => available(band))
    const level = Math.min(...present.filter((band) => !this.#absent[band]).map((band) => this.#progress(band)))
    for (const band of bandNumbers) {
      if (!present.includes(band)) {
        this.#absent[band] = true
        continue
      }
      if (this.#absent[band]) {
        this.#absent[band] = false
        if (Number.isFinite(level)) this.#served[band] = Math.max(this.#served[band]!, level * this.#weights[band]!)
      }
      if (best === undefined || this.#progress(band) < this.#progress(best)) best = band
    }
    return best
  }

  serve(band: BandNumber, urls: number): void {
    this.#served[band]! += urls
  }

  #progress(band: BandNumber): number {
    return this.#served[band]! / this.#weights[band]!
  }
}
