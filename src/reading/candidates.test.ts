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

function setUp(seeds: readonly CanonicalUrl[] = [page], traps: object = {}) {
  const config = urlConfig.parse({ traps, scope: 'domain' })
  const refused: Record<string, number> = {}
  const rules = {
    canonical: canonicalRules(config),
    scope: makeScope({ ...config, seeds }),
    traps: config.traps,
    ...{ maxDepth: null, maxRedirects: 3, politenessKey: 'host' as const, countsShapes: true },
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

test('of hosts of one domain those of seeds are followed however many they are', () => {
  const url = (host: number, path: string) => `https://n${host}.site.example/${path}` as CanonicalUrl
  const { candidates, refused } = setUp([url(0, ''), url(1, ''), url(2, '')], { maxSubdomains: 1 })
  const refusals = [0, 1, 2, 3].map((i) => candidates.fromRedirect(request, url(i, 'a'), refused)?.refusal)
  assert.deepEqual(refusals, [undefined, undefined, undefined, 'subdomains: site.example'])
})
