import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlRequest } from '../frontier/frontier.ts'
import { canonicalRules } from '../url/canonical.ts'
import { urlConfig } from '../url/config.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { makeScope } from '../url/scope.ts'
import { Candidates } from './candidates.ts'
import { PageLinks } from './page-links.ts'

const page = 'https://site.example/a' as CanonicalUrl
const request: CrawlRequest = {
  ...{ url: page, priority: 'high', depth: 1, parent: null, discoveredAt: 0, redirects: 0, attempts: 0 },
}

function setUp(exclude: string[] = [], maxDepth: number | null = null) {
  const config = urlConfig.parse({ exclude })
  const scope = makeScope({ ...config, seeds: [page] })
  const rules = {
    ...{ canonical: canonicalRules(config), scope, traps: config.traps },
    ...{ maxDepth, maxRedirects: 3, politenessKey: 'host' as const },
  }
  const links = new PageLinks(new Candidates(rules, { now: () => Date.UTC(2026, 0), sleep: async () => {} }))
  /** The links of a page, with keys where the scanner would give one. */
  function read(urls: readonly string[], from = request, canonical = '') {
    const refused: Record<string, number> = {}
    links.begin(from, refused)
    links.from('https://site.example')
    for (const url of urls) {
      const key = Buffer.from(url).reduce((sum, byte) => (sum * 31 + byte) | 0, 7)
      if (!links.again(key, 1)) links.take(url, key, 1)
    }
    links.canonical(canonical)
    return { ...links.end(), refused }
  }
  return { links, scope, read }
}

test('a link becomes a candidate one deeper and one band lower, in canonical form, once', () => {
  const { read } = setUp()
  const found = read(['https://SITE.example/b?utm_source=x#top', 'https://site.example/b'])
  assert.deepEqual(found.urls, ['https://site.example/b'])
  assert.deepEqual(found.candidates, [
    { url: 'https://site.example/b', host: 'site.example', parent: page, band: 'medium', depth: 2, redirects: 0 },
  ])
})

test('a page that repeats the links of another has all of them, and offers none again', () => {
  const { read } = setUp()
  const urls = ['https://site.example/b', 'https://site.example/c#x', 'https://site.example/c']
  read(urls)
  const again = read([...urls, 'https://site.example/d'])
  assert.deepEqual(again.urls, ['https://site.example/b', 'https://site.example/c', 'https://site.example/d'])
  assert.deepEqual(
    again.candidates.map(({ url }) => url),
    ['https://site.example/d'],
  )
})

test('equal references of two hosts lead to each its own, whatever their names, also when hosts were forgotten', () => {
  const { links } = setUp()
  const origins = [
    'https://an.example',
    'https://c0.example',
    ...Array.from({ length: 10_001 }, (_, i) => `https://${i}`),
  ]
  for (const origin of [...origins, ...origins.slice(0, 2)]) {
    links.begin(request, {})
    links.from(origin)
    if (!links.again(5, 7)) links.take(`${origin}.test/same`, 5, 7)
    assert.deepEqual(links.end().urls, [`${origin}.test/same`])
  }
})

test('what is out of scope or too deep is counted on every page, and not offered', () => {
  const { read } = setUp([], 1)
  const urls = ['https://other.example/', 'https://site.example/deep', 'ftp://site.example/']
  for (let i = 0; i < 2; i++) {
    const found = read(urls)
    assert.deepEqual(found.candidates, [])
    assert.deepEqual(found.refused, { 'max-depth': 2, scheme: 1 })
  }
  const shallow = read(urls, { ...request, depth: 0 })
  assert.deepEqual(shallow.refused, { 'out-of-scope': 1, scheme: 1 })
  assert.deepEqual(
    shallow.candidates.map(({ url }) => url),
    ['https://site.example/deep'],
    'what was too deep is offered when it is found higher up',
  )
})

test('what a pattern or a trap rule refuses is offered with its refusal, so that it can be explained', () => {
  const { read } = setUp(['*/private/*'])
  const found = read(['https://site.example/private/x', 'https://site.example/a/b/a/b/a/b/a/b'])
  assert.deepEqual(
    found.candidates.map(({ refusal }) => refusal),
    ['excluded-by-pattern: */private/*', 'path-loop'],
  )
})

test('the same key from another origin is another link', () => {
  const { links } = setUp()
  links.begin(request, {})
  links.from('https://site.example')
  links.take('https://site.example/b', 5, 5)
  links.from('https://other.example')
  assert.equal(links.again(5, 5), false)
})

test('a wider scope takes in what was refused before', () => {
  const { read, links, scope } = setUp()
  assert.equal(read(['https://www.site.example/x']).candidates.length, 0)
  scope.widen('www.site.example')
  links.forget()
  assert.equal(read(['https://www.site.example/x']).candidates.length, 1)
})

test('memory is bounded, and what is forgotten is offered again without harm', () => {
  const { read } = setUp()
  const first = read(['https://site.example/first']).candidates.length
  const many = Array.from({ length: 60_000 }, (_, i) => `https://site.example/${i}/${'x'.repeat(90)}`)
  const found = read(many)
  assert.equal(new Set(found.urls).size, many.length)
  assert.equal(found.candidates.length, many.length)
  const again = read(['https://site.example/first'])
  assert.deepEqual(again.urls, ['https://site.example/first'], 'no key leads to another target')
  assert.equal(first + again.candidates.length, 2)
})

test('the canonical URL of a page is offered, and is no link of it', () => {
  const { read } = setUp()
  const found = read([], request, 'https://site.example/b?utm_source=x#top')
  assert.deepEqual(found.urls, [])
  assert.deepEqual(
    found.candidates.map(({ url, parent, depth }) => ({ url, parent, depth })),
    [{ url: 'https://site.example/b', parent: page, depth: 2 }],
  )
  assert.deepEqual(read(['https://site.example/b']).urls, ['https://site.example/b'])
})

test('a page that names itself as canonical offers nothing; one that names another host is refused like a link', () => {
  const { read } = setUp()
  for (const self of [page, `${page}#x`, `${page}?utm_source=x`])
    assert.deepEqual(read([], request, self), { urls: [], candidates: [], refused: {} })
  const elsewhere = read([], request, 'https://other.example/a')
  assert.deepEqual(elsewhere, { urls: [], candidates: [], refused: { 'out-of-scope': 1 } })
  assert.deepEqual(read([], request, 'javascript:x').refused, { scheme: 1 })
})

test('a sitemap that a page names is offered once, first, and wherever pages must lie, unless a pattern excludes it', () => {
  const config = urlConfig.parse({ scope: 'prefix', include: ['*/docs/*'], exclude: ['*/private/*'] })
  const scope = makeScope({ ...config, seeds: ['https://site.example/docs/' as CanonicalUrl] })
  const rules = {
    ...{ canonical: canonicalRules(config), scope, traps: config.traps },
    ...{ maxDepth: null, maxRedirects: 3, politenessKey: 'host' as const },
  }
  const links = new PageLinks(new Candidates(rules, { now: () => Date.UTC(2026, 0), sleep: async () => {} }))
  const named = [
    'https://site.example/maps.xml',
    'https://site.example/private/maps.xml',
    'https://other.example/maps.xml',
  ]
  const offered = [1, 2].map(() => {
    const refused: Record<string, number> = {}
    links.begin(request, refused)
    for (const url of named) links.sitemap(url)
    const { urls, candidates } = links.end()
    return { urls, refused, candidates: candidates.map(({ url, band, refusal }) => [url, band, refusal]) }
  })
  assert.deepEqual(offered[0], {
    urls: [],
    refused: { 'out-of-scope': 1 },
    candidates: [
      ['https://site.example/maps.xml', 'high', undefined],
      ['https://site.example/private/maps.xml', 'high', 'excluded-by-pattern: */private/*'],
    ],
  })
  assert.deepEqual(offered[1]?.candidates, [])
})
