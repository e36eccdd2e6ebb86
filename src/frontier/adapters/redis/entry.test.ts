import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import { workerConfig } from '../../../worker/config.ts'
import { type Candidate, mostRedirects } from '../../frontier.ts'
import { longUrl, packEntry, shortUrl, unpackEntry } from './entry.ts'

const host = 'www.a.test' as HostKey
const now = Date.UTC(2026, 10, 15, 12, 30, 15)
const candidate = (extra: Partial<Candidate>): Candidate => ({
  ...{ url: 'https://www.a.test/a/b' as CanonicalUrl, host, band: 'high', depth: 0, parent: null, redirects: 0 },
  ...extra,
})

test('a URL of the host itself is its path; others keep what makes them different', () => {
  for (const [url, short] of [
    ['https://www.a.test/a?b', '/a?b'],
    ['http://www.a.test/', '!/'],
    ['https://www.a.test:8443/', 'www.a.test:8443/'],
    ['http://sub.www.a.test/x', '!sub.www.a.test/x'],
    ['https://www.a.testing/x', 'www.a.testing/x'],
  ] as const) {
    assert.equal(shortUrl(url as CanonicalUrl, host), short)
    assert.equal(longUrl(short, host), url)
  }
})

test('an entry gives back what was put in', () => {
  const path = fc.webPath().map((text) => `/${text.replace(/^\//, '')}`)
  const url = fc
    .tuple(fc.constantFrom('http://', 'https://'), fc.constantFrom<string>(host, 'b.test', `sub.${host}`), path)
    .map((parts) => parts.join('') as CanonicalUrl)
  fc.assert(
    fc.property(
      ...([url, fc.option(url), fc.nat(4095), fc.nat(19), fc.constantFrom('high', 'medium', 'low')] as const),
      (url, parent, depth, redirects, band) => {
        const { discoveredAt, attempts, priority, ...request } = unpackEntry(
          packEntry(candidate({ url, parent, depth, redirects, band }), now),
          host,
        )
        assert.deepEqual(request, { url, parent, depth, redirects })
        assert.deepEqual([discoveredAt, attempts, priority], [now, 0, band])
      },
    ),
  )
})

test('what is too large is cut, and harms nothing else', () => {
  const entry = packEntry(candidate({ depth: 1e9, redirects: 1e9, band: 'low' }), now)
  const { depth, redirects, url, priority } = unpackEntry(entry, host)
  assert.deepEqual([depth, redirects, url, priority], [4095, 19, 'https://www.a.test/a/b', 'low'])
})

test('every number of redirects that may be allowed is told apart, whatever the band; more may not be allowed', () => {
  for (const band of ['high', 'medium', 'low'] as const)
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const entry = unpackEntry(packEntry(candidate({ band, redirects }), now), host)
      assert.deepEqual([entry.redirects, entry.priority, entry.isRevisit], [redirects, band, undefined])
    }
  assert.equal(workerConfig.safeParse({ maxRedirects: mostRedirects }).success, true)
  assert.equal(workerConfig.safeParse({ maxRedirects: mostRedirects + 1 }).success, false)
})

test('a revisit is marked, whatever its band, and as long as any other entry', () => {
  for (const band of ['high', 'medium', 'low'] as const) {
    const [first, again] = [false, true].map((isRevisit) =>
      packEntry(candidate({ band, redirects: 3 }), now, isRevisit),
    )
    const { isRevisit, priority, redirects } = unpackEntry(again!, host)
    assert.deepEqual({ isRevisit, priority, redirects }, { isRevisit: true, priority: band, redirects: 0 })
    assert.equal(unpackEntry(first!, host).isRevisit, undefined)
    assert.equal(again!.length, first!.length)
  }
})

test('a parent near by takes a few characters', () => {
  const [url, parent] = ['https://www.a.test/docs/guide/one.html', 'https://www.a.test/docs/guide/'] as CanonicalUrl[]
  const alone = packEntry(candidate({ url: url! }), now)
  assert.equal(packEntry(candidate({ url: url!, parent: parent! }), now).length, alone.length + 3)
})
