import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isEmptyQuery, parseQuery, type SearchQuery } from './query.ts'

const NOTHING: SearchQuery = {
  terms: [],
  without: [],
  sites: [],
  withoutSites: [],
  langs: [],
  withoutLangs: [],
  after: null,
  before: null,
}

const term = (...words: string[]) => ({ words, prefix: false, title: false })

describe('parseQuery', () => {
  for (const [typed, meant] of [
    ['Orb  weaver', { terms: [term('orb'), term('weaver')] }],
    ['"orb weaver" silk', { terms: [term('orb', 'weaver'), term('silk')] }],
    ['“orb weaver”', { terms: [term('orb', 'weaver')] }],
    ['"never closed', { terms: [term('never', 'closed')] }],
    ['foo-bar C++ a.b', { terms: [term('foo', 'bar'), term('c'), term('a', 'b')] }],
    ['silk -worm -"raw silk"', { terms: [term('silk')], without: [term('worm'), term('raw', 'silk')] }],
    ['craw*', { terms: [{ ...term('craw'), prefix: true }] }],
    [
      'title:web -title:"the net"',
      { terms: [{ ...term('web'), title: true }], without: [{ ...term('the', 'net'), title: true }] },
    ],
    ['site:Example.com', { sites: ['example.com'] }],
    ['site:https://a.test:8080/x?y SITE:*.b.test', { sites: ['a.test', 'b.test'] }],
    ['site:münchen.de -site:c.test', { sites: ['xn--mnchen-3ya.de'], withoutSites: ['c.test'] }],
    ['lang:en-GB -lang:de', { langs: ['en'], withoutLangs: ['de'] }],
    ['after:2024 before:2024-02', { after: Date.UTC(2024, 0, 1), before: Date.UTC(2024, 1, 1) }],
    ['after:2024-02-29', { after: Date.UTC(2024, 1, 29) }],
    ['after:soon', { terms: [term('after', 'soon')] }],
    ['after:2024-13', { terms: [term('after', '2024', '13')] }],
    ['lang:', { terms: [term('lang')] }],
    ['https://a.test/', { terms: [term('https', 'a', 'test')] }],
    ['ＦＵＬＬ　ｗｉｄｔｈ', { terms: [term('full'), term('width')] }],
  ] as const)
    test(`understands ${typed}`, () => assert.deepEqual(parseQuery(typed), { ...NOTHING, ...meant }))

  for (const typed of ['', ' ', '"', '-', '*', '!?', 'title:""'])
    test(`${JSON.stringify(typed)} asks for nothing or for plain words`, () => {
      const query = parseQuery(typed)
      assert.equal(isEmptyQuery(query), true)
    })

  test('words hold nothing but letters, digits and marks, however hostile the query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (typed) => {
        const { terms, without } = parseQuery(typed)
        return [...terms, ...without].every(
          ({ words }) => words.length > 0 && words.every((word) => /^[\p{L}\p{N}\p{M}\p{Co}]+$/u.test(word)),
        )
      }),
    )
  })

  test('a query is cut at a thousand characters and 32 parts', () => {
    assert.equal(parseQuery('a '.repeat(1_000_000)).terms.length, 32)
    assert.equal(parseQuery('a'.repeat(1_000_000)).terms[0]?.words[0]?.length, 1000)
  })
})
