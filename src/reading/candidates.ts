import type { Clock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import { isFleet } from '../engines/is-fleet.ts'
import type { Band, Candidate, CrawlRequest } from '../frontier/frontier.ts'
import { budgetRefusal, overBudget, type ShapeCounts } from '../url/budgets.ts'
import { type CanonicalRules, canonicalRules, canonicalUrl } from '../url/canonical.ts'
import type { TrapConfig } from '../url/config.ts'
import { type CanonicalUrl, hostKeyOf, hostOf } from '../url/keys.ts'
import { RecentCounts } from '../url/recent-counts.ts'
import type { Scope, ScopeRefusal } from '../url/scope.ts'
import { trapIn } from '../url/traps.ts'
import { type Counters, count } from './counters.ts'

export interface CandidateRules {
  readonly canonical: CanonicalRules
  readonly scope: Scope
  readonly traps: TrapConfig
  readonly maxDepth: number | null
  readonly maxRedirects: number
  readonly politenessKey: 'host' | 'domain'
  /** URLs of one shape are counted here, since no frontier does. Left out: it does. */
  readonly countsShapes?: boolean
}

export function candidateRules({ url, limits, worker, engines }: Config, scope: Scope): CandidateRules {
  const { politenessKey, maxRedirects } = worker
  const { maxDepth } = limits
  const countsShapes = isFleet(engines)
  return {
    canonical: canonicalRules(url),
    scope,
    traps: url.traps,
    maxDepth,
    maxRedirects,
    politenessKey,
    countsShapes,
  }
}

/** How a URL was found. */
export interface UrlOrigin {
  readonly parent: CanonicalUrl | null
  readonly band: Band
  readonly depth: number
  readonly redirects: number
}

/**
 * What becomes of a URL that was found. What is out of scope or too deep is counted and forgotten; what a trap rule or a
 * pattern refuses within the scope is offered with its refusal, so that it can be explained.
 */
export class Candidates {
  readonly #rules: CandidateRules
  readonly #clock: Clock
  readonly #counts: ShapeCounts | undefined

  constructor(rules: CandidateRules, clock: Clock) {
    this.#rules = rules
    this.#counts = rules.countsShapes ? new RecentCounts() : undefined
    this.#clock = clock
  }

  /** `undefined`: it has none, which is counted in `refused`. */
  canonical(text: string, refused: Counters): CanonicalUrl | undefined {
    const { url, refusal } = canonicalUrl(text, undefined, this.#rules.canonical)
    if (refusal) count(refused, refusal)
    return url
  }

  judge(url: CanonicalUrl): ScopeRefusal | undefined {
    return this.#rules.scope.judge(url)
  }

  /** Why a URL that was so judged is not even offered. */
  reasonAgainst(verdict: ScopeRefusal | undefined, { depth }: UrlOrigin): string | undefined {
    const { maxDepth } = this.#rules
    if (maxDepth !== null && depth > maxDepth) return 'max-depth'
    return verdict?.reason === 'out-of-scope' ? verdict.reason : undefined
  }

  candidate(url: CanonicalUrl, verdict: ScopeRefusal | undefined, origin: UrlOrigin): Candidate {
    const { traps, politenessKey } = this.#rules
    const refusal = verdict
      ? `${verdict.reason}: ${verdict.detail}`
      : (trapIn(url, this.#clock.now(), traps) ?? this.#overBudget(url))
    return { url, host: hostKeyOf(url, politenessKey), ...origin, ...(refusal ? { refusal } : {}) }
  }

  #overBudget(url: CanonicalUrl): string | undefined {
    const over = this.#counts && overBudget(url, this.#rules.traps, this.#counts)
    if (over?.rule === 'subdomains' && this.#rules.scope.isOnSeedHost(url)) return undefined
    return over && budgetRefusal(over)
  }

  /**
   * A URL that a sitemap, a feed or robots.txt (`origin.parent`) lists. A further sitemap stands beside the pages: folders
   * and patterns that pages must fit do not speak of it, as long as it is on the host that names it.
   */
  listed(url: CanonicalUrl, isSitemap: boolean, origin: UrlOrigin, refused: Counters): Candidate | undefined {
    const isBeside = isSitemap && origin.parent !== null && hostOf(url) === hostOf(origin.parent)
    const verdict = isBeside ? this.#rules.scope.exclusion(url) : this.judge(url)
    const reason = this.reasonAgainst(verdict, origin)
    if (reason === undefined) return this.candidate(url, verdict, origin)
    count(refused, reason)
    return undefined
  }

  /**
   * The target of a redirect is a URL of its own, as deep as the one that led there. One too many in a row is not followed;
   * its target is not refused for good, since a link may lead there as well.
   */
  fromRedirect(request: CrawlRequest, target: CanonicalUrl, refused: Counters): Candidate | undefined {
    const { priority: band, depth, redirects, url: parent } = request
    const origin = { parent, band, depth, redirects: redirects + 1 }
    const verdict = this.judge(target)
    const reason = redirects >= this.#rules.maxRedirects ? 'too-many-redirects' : this.reasonAgainst(verdict, origin)
    if (reason === undefined) return this.candidate(target, verdict, origin)
    count(refused, reason)
    return undefined
  }
}
