/** URLs for a crawl to know beforehand, as many as wanted, the same in every run. */
import { mix } from '../dedup/mix.ts'
import { bands } from '../frontier/bands.ts'
import type { Candidate } from '../frontier/frontier.ts'
import type { CanonicalUrl, HostKey } from '../url/keys.ts'

/** As many hosts as a crawl that knows so many URLs of the wide web. */
export const hostsFor = (urls: number) => Math.ceil(urls / 50)

/**
 * The URL number `n` of those that stand on `hosts` hosts, none of which exists: the first are their home pages, the
 * others articles, most of them on few of the hosts.
 */
export function knownUrl(n: number, hosts: number): Candidate {
  const host = `site-${n < hosts ? n : Math.floor(hosts * chance(n) ** 4)}.test` as HostKey
  const path = n < hosts ? '/' : `/section-${n % 97}/an-article-about-something-${n}.html`
  const url = `https://${host}${path}` as CanonicalUrl
  return { url, host, band: bands[n % 10 === 0 ? 0 : n % 3 === 0 ? 1 : 2], depth: n % 7, parent: null, redirects: 0 }
}

/** From 0 to 1, by the number alone. */
function chance(n: number): number {
  return (mix(n) >>> 0) / 2 ** 32
}
