import type { FailureCode } from '../fetch/outcome.ts'
import { prospects } from '../fetch/retry.ts'
import { crawlDelayMs, ROBOTS_TOKEN, verdict } from '../politeness/robots.ts'
import type { RobotsAnswer } from '../politeness/robots-cache.ts'
import type { CanonicalUrl } from '../url/keys.ts'

/** What an origin's robots.txt says about visiting a URL. */
export type Permission =
  | { readonly kind: 'allowed'; readonly crawlDelayMs: number | null }
  | { readonly kind: 'disallowed'; readonly reason: string }
  /** Not now: the file cannot be had, or the host cannot be reached at all. */
  | { readonly kind: 'unavailable'; readonly retryInMs: number; readonly reason: string }
  /** The session ended before the question was answered. */
  | { readonly kind: 'unasked' }
  /** The host cannot be reached, and waiting will not change that. */
  | { readonly kind: 'unreachable'; readonly reason: FailureCode }

export function permission(answer: RobotsAnswer, url: CanonicalUrl): Permission {
  if (answer.kind === 'unavailable') return withoutRules(answer.code, answer.retryInMs)
  const { allowed, rule, line } = verdict(answer.rules, ROBOTS_TOKEN, url)
  if (!allowed) return { kind: 'disallowed', reason: `robots: ${rule} (line ${line})` }
  return { kind: 'allowed', crawlDelayMs: crawlDelayMs(answer.rules, ROBOTS_TOKEN) }
}

/** Failures before anything was asked: they say nothing about robots.txt, but all about the host. */
const withoutContact: ReadonlySet<FailureCode | null> = new Set([
  ...(['dns-not-found', 'dns-failed', 'address-refused'] as const),
  ...(['connect-refused', 'connect-timeout', 'connect-failed'] as const),
  ...(['tls-expired', 'tls-wrong-name', 'tls-untrusted', 'tls-invalid'] as const),
])

function withoutRules(code: FailureCode | null, retryInMs: number): Permission {
  if (code === 'cancelled') return { kind: 'unasked' }
  if (code === null || !withoutContact.has(code))
    return { kind: 'unavailable', retryInMs, reason: 'robots-unavailable' }
  if (prospects[code] === 'never') return { kind: 'unreachable', reason: code }
  return { kind: 'unavailable', retryInMs, reason: code }
}
