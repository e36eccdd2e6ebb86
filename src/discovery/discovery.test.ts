import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedUrl } from '../parse/listing.ts'
import type { Origin } from '../url/keys.ts'
import { discoveryConfig } from './config.ts'
import { listedBands, newestFirst } from './listed-bands.ts'
import { sitemapPlaces } from './sitemap-places.ts'

const origin = 'https://e.com' as Origin
const config = discoveryConfig.parse({})
const listed = (said: Partial<ListedUrl>): ListedUrl => ({
  ...{ url: 'https://e.com/', isSitemap: false, modifiedAt: '', priority: null, changes: '' },
  ...said,
})

test('the sitemaps that robots.txt names are asked for, each once; of other hosts too, for the scope to judge', () => {
  const named = [
    'https://e.com/a.xml',
    '/b.xml',
    'https://e.com/a.xml',
    'javascript:x',
    'http://',
    'https://cdn.com/c.xml',
  ]
  assert.deepEqual(sitemapPlaces(origin, named, true, config), [
    'https://e.com/a.xml',
    'https://e.com/b.xml',
    'https://cdn.com/c.xml',
  ])
  assert.deepEqual(sitemapPlaces(origin, named, true, { ...config, sitemaps: false }), [])
  const many = Array.from({ length: 10_000 }, (_, i) => `/${i}.xml`)
  assert.equal(sitemapPlaces(origin, many, true, config).length, 500)
})

test('the usual place is asked only where none is named, on the hosts of the seeds', () => {
  assert.deepEqual(sitemapPlaces(origin, [], true, config), ['https://e.com/sitemap.xml'])
  assert.deepEqual(sitemapPlaces(origin, [], false, config), [])
  assert.deepEqual(sitemapPlaces(origin, ['http://'], true, config), ['https://e.com/sitemap.xml'])
})

test('a listed URL is of the medium band unless its priority, or how seldom it changes, says otherwise', () => {
  const ordinary = Array.from({ length: 20 }, () => listed({ priority: 0.5 }))
  const bandOf = (said: Partial<ListedUrl>) => listedBands([...ordinary, listed(said)])(listed(said))
  assert.equal(bandOf({}), 'medium')
  assert.equal(bandOf({ priority: 1 }), 'high')
  assert.equal(bandOf({ priority: 0.8 }), 'medium')
  assert.equal(bandOf({ priority: 0.1 }), 'low')
  assert.equal(bandOf({ changes: 'yearly' }), 'low')
  assert.equal(bandOf({ isSitemap: true }), 'high')
})

test('a site that calls all of its pages important is not believed', () => {
  const all = Array.from({ length: 10 }, () => listed({ priority: 1 }))
  assert.equal(listedBands(all)(all[0]!), 'medium')
})

test('what changed last comes first, and what does not tell comes last in its order', () => {
  const urls = [
    listed({ url: 'a' }),
    listed({ url: 'b', modifiedAt: '2025' }),
    listed({ url: 'c', modifiedAt: '2026' }),
    listed({ url: 'd' }),
  ]
  assert.deepEqual(
    newestFirst(urls).map(({ url }) => url),
    ['c', 'b', 'a', 'd'],
  )
})
