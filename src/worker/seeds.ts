import { UsageError } from '../config/usage-error.ts'
import type { Candidate } from '../frontier/frontier.ts'
import { type CanonicalRules, canonicalUrl } from '../url/canonical.ts'
import { type CanonicalUrl, hostKeyOf, hostnameOf } from '../url/keys.ts'

/** `example.com` is read as `https://example.com/`. Throws a UsageError for what is no URL. */
export function canonicalSeeds(texts: readonly string[], rules: CanonicalRules): CanonicalUrl[] {
  return texts.map((text) => {
    const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
    const { url, refusal } = canonicalUrl(whole, undefined, rules)
    if (url) return url
    throw new UsageError(`"${text}" is no URL to start from (${refusal}). A seed looks like https://example.com/.`)
  })
}

export function seedCandidate(url: CanonicalUrl, politenessKey: 'host' | 'domain'): Candidate {
  return { url, host: hostKeyOf(url, politenessKey), band: 'high', depth: 0, parent: null, redirects: 0 }
}

/** May a host be reached at a private address? Those that the user named may, as seeds or by `allowPrivate`. */
export function namedHosts(
  seeds: readonly CanonicalUrl[],
  allowPrivate: readonly string[],
): (hostname: string) => boolean {
  const named = new Set([...allowPrivate, ...seeds.map((url) => hostnameOf(url).replace(/^\[|\]$/g, ''))])
  return (hostname) => named.has('*') || named.has(hostname)
}
