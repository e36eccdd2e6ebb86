import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overBudget } from './budgets.ts'
import { trapConfig } from './config.ts'
import type { CanonicalUrl } from './keys.ts'
import { RecentCounts } from './recent-counts.ts'

function spendAll(given: object, count: number, url: (i: number) => string): string[] {
  const config = trapConfig.parse(given)
  const counts = new RecentCounts()
  return Array.from({ length: count }, (_, i) => overBudget(url(i) as CanonicalUrl, config, counts)?.rule ?? '')
}

test('combinations of filters are limited for each path; pages of a list are not', () => {
  const facets = spendAll({ maxFacets: 10 }, 20, (i) => `https://e.com/shop?a=${i}&b=1&c=1`)
  assert.deepEqual(facets.slice(9, 11), ['', 'facets'])
  assert.ok(spendAll({ maxFacets: 10 }, 20, (i) => `https://e.com/list?cat=1&page=${i}`).every((rule) => rule === ''))
  const paths = spendAll({ maxFacets: 10 }, 20, (i) => `https://e.com/shop/${'abcd'[i % 4]}?a=${i}&b=1&c=1`)
  assert.ok(paths.every((rule) => rule === ''))
})

test('queries of one path, and paths that differ in numbers only, are limited', () => {
  assert.equal(spendAll({ maxQueries: 5 }, 6, (i) => `https://e.com/?q=${i}`)[5], 'query-budget')
  assert.equal(spendAll({ maxOfPattern: 5 }, 6, (i) => `https://e.com/day/${i}/x`)[5], 'pattern-budget')
  assert.equal(spendAll({ maxOfPattern: 5 }, 6, (i) => `https://e${i}.com/day/${i}/x`)[5], '')
})

test('names below one domain are limited, and those that were met stay good', () => {
  const hosts = spendAll({ maxSubdomains: 3 }, 6, (i) => `https://s${i % 4}.e.com/`)
  assert.deepEqual(hosts, ['', '', '', 'subdomains', '', ''])
  assert.ok(spendAll({ maxSubdomains: 3 }, 9, (i) => `https://s${i}.github.io/`).every((rule) => rule === ''))
})

test('of many sites a bounded number is remembered', () => {
  const config = trapConfig.parse({})
  const counts = new RecentCounts()
  for (let i = 0; i < 50_000; i++)
    overBudget(`https://s${i}.site${i}.com/p/${i}?a=1&b=2&c=${i}` as CanonicalUrl, config, counts)
  assert.ok(counts.remembered <= 40_000, String(counts.remembered))
})
