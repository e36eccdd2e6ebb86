import { createHash } from 'node:crypto'
import { canonicalUrl } from './canonical.ts'
import type { Document } from './document.ts'
import type { Expectation, Host } from './host.ts'

export interface ExpectedPage {
  readonly title: string
  readonly lang: string
  /** A word that the text of this page contains, and of no page with other bytes. */
  readonly marker: string
  readonly charset: string
  readonly noindex: boolean
  readonly canonical: string
  /** SHA-256 of the decoded body; empty when no two visits bring the same bytes. Computed when asked for: reading it renders the page. */
  readonly contentKey: string
}

/** What a crawl of the whole test web, with every host's `/` as a seed, must end with. URLs are canonical. */
export interface Expected {
  readonly pages: Map<string, ExpectedPage>
  /** URLs that answer 200 with something that is no HTML page → its content type. */
  readonly others: Map<string, string>
  readonly redirects: Map<string, string>
  /** Never a page → the statuses (`status-404`) or failure codes (`reset`) that are right. */
  readonly failures: Map<string, readonly string[]>
  /** Must not be fetched → `robots`, `robots-unavailable`, `nofollow`. */
  readonly excluded: Map<string, string>
  /** Must be visited and end; how it is recorded is the crawler's decision. */
  readonly hostile: Map<string, string>
  /** Groups of URLs with the same bytes. */
  readonly duplicates: string[][]
  /** Groups of URLs whose texts differ in a word or two. */
  readonly nearDuplicates: string[][]
  /** URLs that begin so have no end → what kind of trap. Some may be fetched, none is expected. */
  readonly traps: Map<string, string>
}

export function expected(hosts: Iterable<Host>): Expected {
  const result: Expected = {
    pages: new Map(),
    others: new Map(),
    redirects: new Map(),
    failures: new Map(),
    excluded: new Map(),
    hostile: new Map(),
    duplicates: [],
    nearDuplicates: [],
    traps: new Map(),
  }
  const duplicates = new Map<string, string[]>()
  const nearDuplicates = new Map<string, string[]>()
  for (const host of hosts)
    for (const [path, expectation] of expectationsOf(host)) {
      const url = canonicalUrl(path, host.origin)
      note(result, url, expectation)
      if (expectation.kind !== 'page') continue
      gather(duplicates, expectation.document.duplicateGroup, url)
      gather(nearDuplicates, expectation.document.nearGroup, url)
    }
  for (const host of hosts) for (const trap of host.traps ?? []) result.traps.set(host.origin + trap.prefix, trap.what)
  result.duplicates.push(...[...duplicates.values()].filter((group) => group.length > 1))
  result.nearDuplicates.push(...[...nearDuplicates.values()].filter((group) => group.length > 1))
  return result
}

function* expectationsOf(host: Host): Iterable<[path: string, Expectation]> {
  if (host.wholeHost) return yield ['/', host.wholeHost]
  for (let page = 0; page < host.graph.pages; page++)
    yield [host.graph.path(page), { kind: 'page', document: host.documentOf(page) }]
  for (const route of host.routes)
    yield [route.path, 'document' in route ? { kind: 'page', document: route.document } : route.expect]
}

function note(result: Expected, url: string, expectation: Expectation): void {
  switch (expectation.kind) {
    case 'page':
      result.pages.set(url, expectedPage(expectation.document, expectation.unsteady ?? false))
      break
    case 'other':
      result.others.set(url, expectation.contentType)
      break
    case 'redirect':
      result.redirects.set(url, canonicalUrl(expectation.to, url))
      break
    case 'failure':
      result.failures.set(url, expectation.reasons)
      break
    case 'excluded':
      result.excluded.set(url, expectation.reason)
      break
    case 'hostile':
      result.hostile.set(url, expectation.what)
      break
    default:
      expectation satisfies never
  }
}

function expectedPage(document: Document, isUnsteady: boolean): ExpectedPage {
  const { title, lang, marker, charset, noindex, canonical } = document
  return {
    title,
    lang,
    marker,
    charset,
    noindex,
    canonical,
    get contentKey() {
      return isUnsteady ? '' : createHash('sha256').update(document.body()).digest('hex')
    },
  }
}

function gather(groups: Map<string, string[]>, group: string | undefined, url: string): void {
  if (group === undefined) return
  const urls = groups.get(group)
  if (urls) urls.push(url)
  else groups.set(group, [url])
}
