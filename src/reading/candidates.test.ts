import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlRequest } from '../frontier/frontier.ts'
import { canonicalRules } from '../url/canonical.ts'
import { urlConfig } from '../url/config.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { makeScope } from '../url/scope.ts'
import { Candidates } from './candidates.ts'

const page = 'https://site.example/a' as CanonicalUrl
const request: CrawlRequest = {
  ...{ url: page, priority: 'high', depth: 1, parent: null, discoveredAt: 0, redirects: 0, attempts: 0 },
}

function setUp(exclude: string[] = [], maxDepth: number | null = null) {
  const config = urlConfig.parse({ exclude })
  const refused: Record<string, number> = {}
  const rules = {
    canonical: canonicalRules(config),
    scope: makeScope({ ...config, seeds: [page] }),
    traps: config.traps,
    ...{ maxDepth, maxRedirects: 3, politenessKey: 'host' as const },
  }
  const clock = { now: () => Date.UTC(2026, 0), sleep: async () => {} }
  return { candidates: new Candidates(rules, clock), refused }
}

test('a redirect keeps depth and band, and too many in a row are refused', () => {
  const { candidates, refused } = setUp()
  const target = 'https://site.example/next' as CanonicalUrl
  const first = candidates.fromRedirect(request, target, refused)
  assert.deepEqual([first?.depth, first?.band, first?.redirects, first?.refusal], [1, 'high', 1, undefined])
  const far = candidates.fromRedirect({ ...request, redirects: 3 }, 'https://site.example/far' as CanonicalUrl, refused)
  assert.equal(far, undefined)
  assert.deepEqual(refused, { 'too-many-redirects': 1 })
})
