import { UsageError } from '../config/usage-error.ts'
import type { Candidate } from '../frontier/frontier.ts'
import { type CanonicalRules, canonicalUrl } from '../url/canonical.ts'
import { type CanonicalUrl, hostKeyOf } from '../url/keys.ts'

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
