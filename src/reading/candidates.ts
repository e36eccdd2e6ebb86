import type { Clock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import { bandOfLink } from '../frontier/bands.ts'
import type { Band, Candidate, CrawlRequest } from '../frontier/frontier.ts'
import type { Link } from '../parse/page.ts'
import { type CanonicalRules, canonicalRules, canonicalUrl } from '../url/canonical.ts'
import type { TrapConfig } from '../url/config.ts'
import { type CanonicalUrl, hostKeyOf } from '../url/keys.ts'
import type { Scope } from '../url/scope.ts'
import { trapIn } from '../url/traps.ts'
import { type Counters, count } from './counters.ts'
import { RecentSet } from './recent-set.ts'

export interface CandidateRules {
  readonly canonical: CanonicalRules
  readonly scope: Scope
  readonly traps: TrapConfig
  readonly maxDepth: number | null
  readonly maxRedirects: number
  readonly politenessKey: 'host' | 'domain'
}

export function candidateRules({ url, limits, worker }: Config, scope: Scope): CandidateRules {
  const { politenessKey, maxRedirects } = worker
  const { maxDepth } = limits
  return { canonical: canonicalRules(url), scope, traps: url.traps, maxDepth, maxRedirects, politenessKey }
}

export interface FoundLinks {
  readonly urls: readonly CanonicalUrl[]
  readonly candidates: readonly Candidate[]
}

/** How a URL was found. */
interface Origin {
  readonly parent: CanonicalUrl | null
  readonly band: Band
  readonly depth: number
  readonly redirects: number
}

/**
 * From link to candidate, cheapest question first: canonical URL, scope, offered a moment ago, traps. Most links of a
 * page are navigation that repeats, so only a handful reach the frontier. What is out of scope is counted and forgotten;
 * what a trap rule or a pattern refuses within the scope is offered with its refusal, so that it can be explained.
 */
export class Candidates {
  readonly #rules: CandidateRules
  readonly #clock: Clock
  readonly #offered = new RecentSet(4_000_000)

  constructor(rules: CandidateRules, clock: Clock) {
    this.#rules = rules
    this.#clock = clock
  }

  /** The canonical URLs that a page links to, and those of them worth offering; what is not is counted in `refused`. */
  fromLinks(request: CrawlRequest, links: readonly Link[], refused: Counters): FoundLinks {
    const urls = new Set<CanonicalUrl>()
    const candidates: Candidate[] = []
    const origin = { parent: request.url, band: bandOfLink(request.priority), depth: request.depth + 1, redirects: 0 }
    for (const link of links) {
      const url = this.canonical(link.url, refused)
      if (url === undefined || urls.has(url)) continue
      urls.add(url)
      const candidate = this.#candidate(url, origin, refused)
      if (candidate) candidates.push(candidate)
    }
    return { urls: [...urls], candidates }
  }

  /**
   * The target of a redirect is a URL of its own, as deep as the one that led there. One too many in a row is not followed;
   * its target is not refused for good, since a link may lead there as well.
   */
  fromRedirect(request: CrawlRequest, target: CanonicalUrl, refused: Counters): Candidate | undefined {
    const { priority: band, depth, redirects } = request
    if (redirects >= this.#rules.maxRedirects) {
      count(refused, 'too-many-redirects')
      return undefined
    }
    return this.#candidate(target, { parent: request.url, band, depth, redirects: redirects + 1 }, refused)
  }

  canonical(text: string, refused: Counters): CanonicalUrl | undefined {
    const { url, refusal } = canonicalUrl(text, undefined, this.#rules.canonical)
    if (refusal) count(refused, refusal)
    return url
  }

  #candidate(url: CanonicalUrl, origin: Origin, refused: Counters): Candidate | undefined {
    const { scope, traps, maxDepth, politenessKey } = this.#rules
    const verdict = scope.judge(url)
    const tooDeep = maxDepth !== null && origin.depth > maxDepth
    if (tooDeep || verdict?.reason === 'out-of-scope') {
      count(refused, tooDeep ? 'max-depth' : 'out-of-scope')
      return undefined
    }
    if (!this.#offered.add(url)) return undefined
    const refusal = verdict ? `${verdict.reason}: ${verdict.detail}` : trapIn(url, this.#clock.now(), traps)
    return { url, host: hostKeyOf(url, politenessKey), ...origin, ...(refusal ? { refusal } : {}) }
  }
}
