import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRobots } from '../politeness/robots.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { permission } from './permission.ts'

const url = 'https://site.example/private/page' as CanonicalUrl

test('a closed path is disallowed with the rule that closes it', () => {
  const rules = parseRobots('User-agent: *\nDisallow: /private')
  assert.deepEqual(permission({ kind: 'rules', rules }, url), {
    kind: 'disallowed',
    reason: 'robots: Disallow: /private (line 2)',
  })
})

test('an open path is allowed, with the delay that the host asks for', () => {
  const rules = parseRobots('User-agent: *\nCrawl-delay: 2')
  assert.deepEqual(permission({ kind: 'rules', rules }, url), { kind: 'allowed', crawlDelayMs: 2000 })
})

test('a file that fails is waited for; a host that cannot be reached is told by its own name, and given up if it cannot heal', () => {
  const without = (code: 'cancelled' | 'reset' | 'connect-refused' | 'dns-not-found' | null) =>
    permission({ kind: 'unavailable', code, retryInMs: 5, detail: '' }, url)
  assert.deepEqual(without(null), { kind: 'unavailable', retryInMs: 5, reason: 'robots-unavailable' })
  assert.deepEqual(without('cancelled'), { kind: 'unasked' })
  assert.deepEqual(without('reset'), { kind: 'unavailable', retryInMs: 5, reason: 'robots-unavailable' })
  assert.deepEqual(without('connect-refused'), { kind: 'unavailable', retryInMs: 5, reason: 'connect-refused' })
  assert.deepEqual(without('dns-not-found'), { kind: 'unreachable', reason: 'dns-not-found' })
})
