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
const link = (url: string) => ({ url, kind: 'a' as const, rel: '', text: '' })

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

test('a link becomes a candidate one deeper and one band lower, in canonical form, once', () => {
  const { candidates, refused } = setUp()
  const found = candidates.fromLinks(
    request,
    [link('https://SITE.example/b?utm_source=x#top'), link('https://site.example/b')],
    refused,
  )
  assert.deepEqual(found.urls, ['https://site.example/b'])
  const [candidate] = found.candidates
  assert.deepEqual(candidate, {
    ...{ url: 'https://site.example/b', host: 'site.example', parent: page, band: 'medium', depth: 2, redirects: 0 },
  })
  assert.deepEqual(
    candidates.fromLinks(request, [link('https://site.example/b')], refused).candidates,
    [],
    'offered a moment ago',
  )
})

test('what is out of scope or too deep is counted and not offered', () => {
  const { candidates, refused } = setUp([], 1)
  const links = [link('https://other.example/'), link('https://site.example/deep'), link('ftp://site.example/')]
  assert.deepEqual(candidates.fromLinks(request, links, refused).candidates, [])
  const counted: Record<string, number> = { 'max-depth': 2, scheme: 1 }
  assert.deepEqual(refused, counted)
  const shallow = candidates.fromLinks({ ...request, depth: 0 }, [link('https://other.example/')], refused)
  assert.deepEqual(shallow.candidates, [])
  assert.deepEqual(refused, { ...counted, 'out-of-scope': 1 })
})

test('what a pattern or a trap rule refuses is offered with its refusal, so that it can be explained', () => {
  const { candidates, refused } = setUp(['*/private/*'])
  const found = candidates.fromLinks(
    request,
    [link('https://site.example/private/x'), link('https://site.example/a/b/a/b/a/b/a/b')],
    refused,
  )
  assert.deepEqual(
    found.candidates.map(({ refusal }) => refusal),
    ['excluded-by-pattern: */private/*', 'path-loop'],
  )
})

test('a redirect keeps depth and band, and too many in a row are refused', () => {
  const { candidates, refused } = setUp()
  const target = 'https://site.example/next' as CanonicalUrl
  const first = candidates.fromRedirect(request, target, refused)
  assert.deepEqual([first?.depth, first?.band, first?.redirects, first?.refusal], [1, 'high', 1, undefined])
  const far = candidates.fromRedirect({ ...request, redirects: 3 }, 'https://site.example/far' as CanonicalUrl, refused)
  assert.equal(far, undefined)
  assert.deepEqual(refused, { 'too-many-redirects': 1 })
  assert.equal(
    candidates.fromLinks(request, [link('https://site.example/far')], refused).candidates.length,
    1,
    'a link still leads there',
  )
})
