import { mix } from '../dedup/mix.ts'
import { bandOfLink } from '../frontier/bands.ts'
import type { Candidate, CrawlRequest } from '../frontier/frontier.ts'
import type { References } from '../parse/references.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import type { Candidates, UrlOrigin } from './candidates.ts'
import { type Counters, count } from './counters.ts'
import { LinkKeys } from './link-keys.ts'
import { LinkTargets } from './link-targets.ts'

export interface FoundLinks {
  readonly urls: readonly CanonicalUrl[]
  readonly candidates: readonly Candidate[]
}

const MAX_ORIGINS = 10_000
const KEPT_URLS = 512

/**
 * The links of one page after the other: canonical URLs, each once, and those of them worth offering, which are those that
 * no page offered a moment ago. What is not offered for a reason is counted under it.
 */
export class PageLinks implements References {
  readonly #candidates: Candidates
  readonly #keys = new LinkKeys()
  readonly #targets: LinkTargets
  #page = 0
  /** Not made of the origin: two hosts whose names have the same hash would share the targets of equal references. */
  readonly #salts = new Map<string, number>()
  #lastOrigin = 0
  /** Where the references of the page before were from: most often it is the same. */
  #from: string | undefined
  #salt = 0
  #origin: UrlOrigin = { parent: null, band: 'low', depth: 0, redirects: 0 }
  #isTooDeep = false
  #refused: Counters = {}
  /** Used for page after page: only the first so many are of this one. */
  readonly #urls: CanonicalUrl[] = []
  #urlCount = 0
  #found: Candidate[] = []

  constructor(candidates: Candidates) {
    this.#candidates = candidates
    this.#targets = new LinkTargets(
      (url) => candidates.judge(url),
      () => this.#keys.clear(),
    )
  }

  /** A page begins. Refused links are counted in `refused`. */
  begin({ url: parent, priority, depth }: CrawlRequest, refused: Counters): void {
    this.#page++
    this.#origin = { parent, band: bandOfLink(priority), depth: depth + 1, redirects: 0 }
    this.#isTooDeep = this.#candidates.reasonAgainst(undefined, this.#origin) !== undefined
    this.#refused = refused
    this.#urlCount = 0
    this.#found = []
  }

  end(): FoundLinks {
    const urls = this.#urls.slice(0, this.#urlCount)
    // What a page with many links had shall not stay for the sake of pages with few.
    if (this.#urls.length > KEPT_URLS) this.#urls.length = KEPT_URLS
    return { urls, candidates: this.#found }
  }

  from(origin: string): void {
    if (origin === this.#from) return
    let salt = this.#salts.get(origin)
    if (salt === undefined) {
      // Those of before are never given again, so that keys made with them lead nowhere.
      if (this.#salts.size >= MAX_ORIGINS) this.#salts.clear()
      salt = mix(++this.#lastOrigin)
      this.#salts.set(origin, salt)
    }
    this.#from = origin
    this.#salt = salt
  }

  again(keyLow: number, keyHigh: number): boolean {
    const target = this.#keys.get(keyLow ^ this.#salt, keyHigh)
    if (target < 0) return false
    this.#link(target)
    return true
  }

  take(url: string, keyLow: number, keyHigh: number): void {
    const canonical = this.#candidates.canonical(url, this.#refused)
    if (canonical === undefined) return
    const target = this.#targets.numberOf(canonical)
    if (keyLow !== 0 || keyHigh !== 0) this.#keys.set(keyLow ^ this.#salt, keyHigh, target)
    this.#link(target)
  }

  /** The page names this URL as its own: worth a visit if it is another, but no link of the page. */
  canonical(text: string): void {
    if (text === '' || text === this.#origin.parent) return
    const url = this.#candidates.canonical(text, this.#refused)
    if (url === undefined || url === this.#origin.parent) return
    this.#offer(this.#targets.numberOf(url))
  }

  /** The page names a sitemap: worth a visit wherever pages must lie, but no link of the page. */
  sitemap(text: string): void {
    const url = this.#candidates.canonical(text, this.#refused)
    if (url === undefined) return
    const target = this.#targets.numberOf(url)
    if (this.#targets.isOffered(target)) return
    this.#targets.offered(target)
    const listed = this.#candidates.listed(url, true, { ...this.#origin, band: 'high' }, this.#refused)
    if (listed) this.#found.push(listed)
  }

  /** The scope has changed: what was judged before may be judged otherwise now. */
  forget(): void {
    this.#targets.forget()
  }

  #link(target: number) {
    if (!this.#targets.link(target, this.#page)) return
    this.#urls[this.#urlCount++] = this.#targets.urlOf(target)
    if (this.#isTooDeep || !this.#targets.isSettled(target)) this.#offer(target)
  }

  #offer(target: number) {
    const verdict = this.#targets.verdictOn(target)
    const reason = this.#candidates.reasonAgainst(verdict, this.#origin)
    if (reason !== undefined) return count(this.#refused, reason)
    if (this.#targets.isOffered(target)) return
    this.#targets.offered(target)
    this.#found.push(this.#candidates.candidate(this.#targets.urlOf(target), verdict, this.#origin))
  }
}
