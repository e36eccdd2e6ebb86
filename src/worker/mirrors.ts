import { type CanonicalUrl, type Origin, originOf, pathOf } from '../url/keys.ts'

/** Of the pages of a mirror, so many are copies: banners and dates make some of them differ. */
const SHARE = 0.9
const MAX_ORIGINS = 10_000

/** An origin some of whose pages are those of another. */
interface Likeness {
  readonly of: Origin
  copies: number
  others: number
}

/**
 * Notices origins that serve the pages of another one at the same places. Knows what was kept here since the crawl was
 * started: after a restart, and by each worker of a fleet, a mirror is recognised anew. Costs nothing where there are no
 * copies.
 */
export class Mirrors {
  readonly #minCopies: number
  /** The longest known first. */
  readonly #likenesses = new Map<Origin, Likeness>()
  readonly #mirrors = new Map<Origin, Origin>()

  /** `minCopies`: so many there must be. 0: nothing is a mirror. */
  constructor(minCopies: number) {
    this.#minCopies = minCopies
  }

  /** The origin whose pages this one repeats. */
  mirroredBy(url: CanonicalUrl): Origin | undefined {
    return this.#mirrors.size === 0 ? undefined : this.#mirrors.get(originOf(url))
  }

  /** A page was kept. `original`: the one with the same body, if there is one. */
  saw(url: CanonicalUrl, original: CanonicalUrl | null): void {
    if (this.#minCopies === 0 || (original === null && this.#likenesses.size === 0)) return
    const origin = originOf(url)
    const other = original === null ? origin : originOf(original)
    if (original === null || other === origin || pathOf(url) !== pathOf(original)) {
      const likeness = this.#likenesses.get(origin)
      if (likeness) likeness.others++
      return
    }
    this.#copied(origin, other)
  }

  #copied(origin: Origin, other: Origin): void {
    const likeness = this.#likenesses.get(origin) ?? this.#begin(origin, other)
    if (likeness.of !== other) {
      likeness.others++
      return
    }
    likeness.copies++
    // Two that are visited side by side are each the original of some pages, which count for both.
    const reverse = this.#likenesses.get(other)
    if (reverse?.of === origin && reverse.others > 0) {
      reverse.others--
      reverse.copies++
    }
    const isMirror = likeness.copies >= this.#minCopies && likeness.copies * (1 - SHARE) >= likeness.others * SHARE
    if (isMirror && !this.#mirrors.has(other)) remember(this.#mirrors, origin, other)
  }

  #begin(origin: Origin, of: Origin): Likeness {
    const likeness = { of, copies: 0, others: 0 }
    remember(this.#likenesses, origin, likeness)
    return likeness
  }
}

function remember<Value>(map: Map<Origin, Value>, origin: Origin, value: Value): void {
  map.set(origin, value)
  if (map.size > MAX_ORIGINS) map.delete(map.keys().next().value!)
}
