import { getDomain } from 'tldts'
import xxhash from 'xxhash-wasm'

declare const brand: unique symbol

/** A URL in canonical form (`canonical.ts` makes it): equal text means equal page. */
export type CanonicalUrl = string & { readonly [brand]: 'CanonicalUrl' }

/** What politeness is owed to: a host (with its port when that is not the default), a registrable domain or an address. */
export type HostKey = string & { readonly [brand]: 'HostKey' }

/** Scheme, host and port: what one robots.txt speaks for. */
export type Origin = string & { readonly [brand]: 'Origin' }

/** The key by which a URL's host is paced: the host itself, or the registrable domain that it shares with others. */
export function hostKeyOf(url: CanonicalUrl, by: 'host' | 'domain'): HostKey {
  if (by === 'host') return hostOf(url) as HostKey
  const hostname = hostnameOf(url)
  return (registrableDomain(hostname) ?? hostname) as HostKey
}

export function originOf(url: CanonicalUrl): Origin {
  return url.slice(0, pathStart(url)) as Origin
}

/** Host, with its port when that is not the default. */
export function hostOf(url: CanonicalUrl): string {
  return url.slice(hostStart(url), pathStart(url))
}

export function hostnameOf(url: CanonicalUrl): string {
  return withoutPort(hostOf(url))
}

/** Host without its port; an IPv6 address keeps its brackets. */
export function withoutPort(host: string): string {
  const colon = host.lastIndexOf(':')
  return colon < 0 || host.endsWith(']') ? host : host.slice(0, colon)
}

/** Path and query. */
export function pathOf(url: CanonicalUrl): string {
  return url.slice(pathStart(url))
}

function hostStart(url: CanonicalUrl): number {
  return url.charCodeAt(4) === 0x3a ? 7 : 8
}

function pathStart(url: CanonicalUrl): number {
  return url.indexOf('/', 8)
}

const CACHED_DOMAINS = 8192
const domains = { public: new Map<string, string | null>(), private: new Map<string, string | null>() }

/**
 * `shop.example.co.uk` → `example.co.uk`, by the public suffix list; `null` for addresses and names without a domain.
 * `privateSuffixes`: whether `github.io` and its like count as suffixes, so that each of its sites is a domain of its own.
 */
export function registrableDomain(hostname: string, privateSuffixes = true): string | null {
  const cache = privateSuffixes ? domains.private : domains.public
  let domain = cache.get(hostname)
  if (domain === undefined) {
    domain = getDomain(hostname, { allowPrivateDomains: privateSuffixes, extractHostname: false })
    if (cache.size >= CACHED_DOMAINS) cache.clear()
    cache.set(hostname, domain)
  }
  return domain
}

/** The low 53 bits of xxHash64: a safe integer, so that it fits a number in every engine. */
export async function loadFingerprint(): Promise<(text: string) => number> {
  const { h64 } = await xxhash()
  const wide = new BigUint64Array(1)
  const halves = new Uint32Array(wide.buffer)
  return (text) => {
    wide[0] = h64(text)
    return (halves[1]! & 0x1f_ffff) * 0x1_0000_0000 + halves[0]!
  }
}
