import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { trapConfig } from './config.ts'
import type { CanonicalUrl } from './keys.ts'
import { trapIn } from './traps.ts'

const now = Date.UTC(2026, 5, 1)
const trap = (path: string, given = {}) =>
  trapIn(`https://example.com${path}` as CanonicalUrl, now, trapConfig.parse(given))

const all = (name: string, paths: readonly string[]) => {
  for (const path of paths) assert.equal(trap(path), name, path)
}

describe('traps', () => {
  test('a segment, or a run of segments, that follows itself three times is a loop', () => {
    all('path-loop', [
      '/a/a/a',
      '/x/a/a/a/y.html',
      '/a/b/a/b/a/b/',
      '/shop/en/shop/en/shop/en/cart?x=1',
      '/a/b/c/a/b/c/a/b/c',
      '/x////y',
      '/css/1/css/1/css/1/a'.replaceAll('1', 'one'),
    ])
    assert.equal(trap('/a/a'), undefined)
    assert.equal(trap('/a/b/a/b/a/c'), undefined)
    assert.equal(trap('/a/a', { maxPathRepeats: 2 }), 'path-loop')
  })

  test('a path deeper than the limit is refused', () => {
    const deep = (count: number) => Array.from({ length: count }, (_, index) => `/s${index}`).join('')
    assert.equal(trap(deep(20)), undefined)
    assert.equal(trap(deep(21)), 'too-deep-path')
    assert.equal(trap('/a/b/c', { maxPathSegments: 2 }), 'too-deep-path')
  })

  test('a segment longer than the limit is refused, escapes counted as the bytes they stand for', () => {
    assert.equal(trap(`/a/${'x'.repeat(255)}/b`), undefined)
    assert.equal(trap(`/a/${'x'.repeat(256)}/b`), 'long-segment')
    assert.equal(trap(`/${'%E3%83%84'.repeat(80)}`), undefined)
    assert.equal(trap(`/${'%E3%83%84'.repeat(90)}`), 'long-segment')
  })

  test('calendars far in the future or the past are refused, near ones are not', () => {
    all('calendar', [
      '/calendar/2087/04',
      '/calendar/2087',
      '/events/2032-01',
      '/events/day/2040-02-30',
      '/calendar?month=4&year=2050',
      '/cal?date=2190-01-01',
      '/cal?day=20450101',
      '/agenda?m=1&y=2099',
      '/2087/04/12/',
      '/calendar/1066/10',
      '/archive/1700/01',
      '/events/?cal_year=2199',
    ])
    for (const path of [
      '/calendar/2026/06',
      '/calendar/2031/12',
      '/calendar?year=2020',
      '/archive/1899/01/',
      '/2031/01/01/x',
    ])
      assert.equal(trap(path), undefined, path)
  })

  test('what is far away depends on the moment that is given', () => {
    const config = trapConfig.parse({})
    const url = 'https://e.com/calendar/2032/01' as CanonicalUrl
    assert.equal(trapIn(url, now, config), 'calendar')
    assert.equal(trapIn(url, Date.UTC(2027, 0, 1), config), undefined)
  })

  test('too many parameters, or one too often, are refused', () => {
    const many = (count: number) => `/?${Array.from({ length: count }, (_, index) => `f${index}=1`).join('&')}`
    assert.equal(trap(many(16)), undefined)
    assert.equal(trap(many(17)), 'too-many-parameters')
    assert.equal(trap('/?a=1&a=2&a=3&a=4&a=5'), undefined)
    assert.equal(trap('/?a=1&a=2&a=3&a=4&a=5&a=6'), 'repeated-parameter')
    assert.equal(trap('/?a=1&a=1&a=1'), 'repeated-parameter')
    assert.equal(trap('/?a=1&a=1&b=1'), undefined)
  })

  test('ordinary URLs are not taken for traps', () => {
    const ordinary = [
      '/',
      '/index.php?id=7&lang=de',
      '/2011/11/11/title-of-a-post/',
      '/img/p/1/1/1/111.jpg',
      '/wiki/Year_2087_problem',
      '/wiki/2087',
      '/product/3056/2',
      '/product/2087-04-screws-m4',
      '/part/9781/12/8843',
      '/dp/B0037/ref=sr_1_1?ie=UTF8&qid=1407529346&sr=8-1',
      '/en/docs/en/guide/en',
      '/a//b//c',
      '/web/2010/https://example.com/',
      '/agenda-2030-for-sustainable-development',
      '/events/4711/tickets',
      '/events/12345678',
      '/events/2087',
      '/archive/7512/05',
      '/datasheets/2087/06.pdf',
      '/update/2100/1/readme',
      '/calendar',
      '/archive/page/1999',
      '/news/date/2026-05-31?page=3',
      '/search?brand=a&brand=b&brand=c&color=red&size=m&sort=price',
      '/list?filter%5Bsize%5D=m&filter%5Bcolour%5D=red&page=2',
      '/holiday/3000-things-to-do',
      '/update/7000/1/readme',
      '/model/2500/specs',
      '/report?from=2019-01-01&to=2026-12-31',
      '/datasheets/4017/06.pdf',
      '/s/2000x1500/photo.jpg',
      '/today/1984/review',
      `/articles/${'a-quite-long-title-'.repeat(10)}`,
      '/%D0%9F%D1%80%D0%B8%D0%B2%D0%B5%D1%82/%D0%BC%D0%B8%D1%80',
    ]
    for (const path of ordinary) assert.equal(trap(path), undefined, path)
  })

  test('no URL makes it throw', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        trap(`/${path}?${query}`)
      }),
    )
  })
})
