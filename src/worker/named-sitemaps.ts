import type { DiscoveryConfig } from '../discovery/config.ts'
import { sitemapPlaces } from '../discovery/sitemap-places.ts'
import type { Candidate } from '../frontier/frontier.ts'
import type { Candidates } from '../reading/candidates.ts'
import type { Counters } from '../reading/counters.ts'
import type { CanonicalUrl, Origin } from '../url/keys.ts'

export interface NamedSitemapsParts {
  readonly config: DiscoveryConfig
  readonly candidates: Candidates
  readonly offer: (candidates: readonly Candidate[]) => Promise<void>
  /** Of the seeds; and where seeds have led since. */
  readonly isOfSeed: (origin: Origin) => boolean
  readonly maxDepth: number | null
  readonly onRefused: (refused: Counters) => void
}

const MAX_REMEMBERED = 20_000

/**
 * Offers an origin's sitemaps when its robots.txt is first read here. Offered again after a crash or by another worker
 * they are known, so nothing has to be remembered for good.
 */
export class NamedSitemaps {
  readonly #parts: NamedSitemapsParts
  /** The oldest first. */
  readonly #offered = new Set<Origin>()

  constructor(parts: NamedSitemapsParts) {
    this.#parts = parts
  }

  /** `undefined`: nothing is left to be done, which is so for all but the first question. */
  of(origin: Origin, named: readonly string[]): Promise<void> | undefined {
    if (this.#offered.has(origin)) return undefined
    this.#offered.add(origin)
    if (this.#offered.size > MAX_REMEMBERED) this.#offered.delete(this.#offered.values().next().value!)
    const found = this.#candidatesOf(origin, named)
    return found.length === 0 ? undefined : this.#parts.offer(found)
  }

  #candidatesOf(origin: Origin, named: readonly string[]): readonly Candidate[] {
    const { config, candidates, isOfSeed, maxDepth, onRefused } = this.#parts
    // Nothing of what they list would be visited.
    if (maxDepth === 0) return []
    const refused: Counters = {}
    const where = { parent: `${origin}/robots.txt` as CanonicalUrl, band: 'high', depth: 1, redirects: 0 } as const
    const found = sitemapPlaces(origin, named, isOfSeed(origin), config).flatMap((place) => {
      const url = candidates.canonical(place, refused)
      const candidate = url && candidates.listed(url, true, where, refused)
      return candidate ? [candidate] : []
    })
    onRefused(refused)
    return found
  }
}
