import { response } from '../answer.ts'
import type { Character } from '../host.ts'
import { site } from '../site.ts'
import { kindOf } from './kinds.ts'

/**
 * Lets `burst` requests (5) come at once and one more each `gapMs` (50); answers what is over that with 429, or 503, and
 * Retry-After: 1. Who comes back sooner commits a rate violation.
 */
export const rateLimited: Character = (host, world) => {
  const status = kindOf(host, ['status-429', 'status-503']) === 'status-429' ? 429 : 503
  const { burst = 5, gapMs = 50 } = host.spec
  let tokens = burst
  let filledAtMs = 0
  return {
    ...site(host, world),
    gate: ({ atMs }) => {
      tokens = Math.min(burst, tokens + (atMs - filledAtMs) / gapMs)
      filledAtMs = atMs
      if (tokens < 1) return response(status, 'Slow down.', { 'retry-after': '1' })
      tokens--
      return undefined
    },
  }
}
