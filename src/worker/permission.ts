import { crawlDelayMs, ROBOTS_TOKEN, verdict } from '../politeness/robots.ts'
import type { RobotsAnswer } from '../politeness/robots-cache.ts'
import type { CanonicalUrl } from '../url/keys.ts'

/** What an origin's robots.txt says about visiting a URL. */
export type Permission =
  | { readonly kind: 'allowed'; readonly crawlDelayMs: number | null }
  | { readonly kind: 'disallowed'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly retryInMs: number }

export function permission(answer: RobotsAnswer, url: CanonicalUrl): Permission {
  if (answer.kind === 'unavailable') return { kind: 'unavailable', retryInMs: answer.retryInMs }
  const { allowed, rule, line } = verdict(answer.rules, ROBOTS_TOKEN, url)
  if (!allowed) return { kind: 'disallowed', reason: `robots: ${rule} (line ${line})` }
  return { kind: 'allowed', crawlDelayMs: crawlDelayMs(answer.rules, ROBOTS_TOKEN) }
}
