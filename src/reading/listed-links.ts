import { setImmediate as nextTurn } from 'node:timers/promises'
import { listedBands, newestFirst } from '../discovery/listed-bands.ts'
import type { Candidate, CrawlRequest } from '../frontier/frontier.ts'
import type { Listing } from '../parse/listing.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import type { Candidates } from './candidates.ts'
import { type Counters, count } from './counters.ts'
import type { FoundLinks } from './page-links.ts'

/** So many are judged before others have a turn. */
const TURN_URLS = 1000

/**
 * What a sitemap or a feed leads to. The URLs of a sitemap are as deep as itself: it stands beside the pages, not between
 * them. Those of a feed, and sitemaps within sitemaps, are a step deeper.
 */
export async function listedLinks(
  request: CrawlRequest,
  listing: Listing,
  candidates: Candidates,
  refused: Counters,
  maxNesting: number,
): Promise<FoundLinks> {
  const bandOf = listedBands(listing.urls)
  const found = new Map<CanonicalUrl, Candidate | undefined>()
  let judged = 0
  for (const listed of newestFirst(listing.urls)) {
    if (++judged % TURN_URLS === 0) await nextTurn()
    const url = candidates.canonical(listed.url, refused)
    if (url === undefined || found.has(url)) continue
    const isDeeper = listed.isSitemap || listing.kind === 'feed'
    const depth = request.depth + (isDeeper ? 1 : 0)
    const origin = { parent: request.url, band: bandOf(listed), depth, redirects: 0 }
    const isTooDeep = listed.isSitemap && depth > maxNesting
    if (isTooDeep) count(refused, 'sitemap-nesting')
    found.set(url, isTooDeep ? undefined : candidates.listed(url, listed.isSitemap, origin, refused))
  }
  return { urls: [...found.keys()], candidates: [...found.values()].filter((candidate) => candidate !== undefined) }
}
