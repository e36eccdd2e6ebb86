import type { Band } from './frontier.ts'

export const bands = ['high', 'medium', 'low'] as const satisfies readonly Band[]
export type BandNumber = 0 | 1 | 2
/** URLs of each band. */
export type BandCounts = Readonly<Record<Band, number>>
export const bandNumbers: readonly BandNumber[] = [0, 1, 2]

/** A link's band follows from its page's: from high comes medium, from medium and low comes low. */
export function bandOfLink(parent: Band): Band {
  return parent === 'high' ? 'medium' : 'low'
}

/**
 * Shares out visits between classes of URLs by weight (bands by 70 : 20 : 10), counted in URLs. The class that is
 * furthest behind its share is next; one that had nothing to offer meanwhile starts level with the others and does not
 * catch up.
 */
export class Shares {
  readonly #weights: readonly number[]
  readonly #served: number[]
  readonly #absent: boolean[]

  constructor(weights: readonly number[]) {
    this.#weights = weights
    this.#served = weights.map(() => 0)
    this.#absent = weights.map(() => true)
  }

  /** The class to serve, of those that have something. */
  next(available: (of: number) => boolean): number | undefined {
    const present = [...this.#weights.keys()].filter(available)
    const level = Math.min(...present.filter((of) => !this.#absent[of]).map((of) => this.#progress(of)))
    for (const of of present)
      if (this.#absent[of] && Number.isFinite(level))
        this.#served[of] = Math.max(this.#served[of]!, level * this.#weights[of]!)
    for (const of of this.#absent.keys()) this.#absent[of] = !present.includes(of)
    return this.behind(available)
  }

  /** The one furthest behind its share, of those that have something: asked within a host, whose bands are not all there are. */
  behind(available: (of: number) => boolean): number | undefined {
    let best: number | undefined
    for (const of of this.#weights.keys())
      if (available(of) && (best === undefined || this.#progress(of) < this.#progress(best))) best = of
    return best
  }

  serve(of: number, urls: number): void {
    this.#served[of]! += urls
  }

  #progress(of: number): number {
    return this.#served[of]! / this.#weights[of]!
  }
}
