import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseQuery } from '../../query.ts'
import { routingFor, searchBody } from './search-body.ts'

test('a search for sites goes to the shards of their domains, and to all where one has none', () => {
  const routing = (typed: string) => routingFor(parseQuery(typed))
  assert.equal(routing('word'), undefined)
  assert.equal(routing('word site:www.example.co.uk'), 'example.co.uk')
  assert.equal(routing('site:a.example.com site:b.example.com site:c.test'), 'example.com,c.test')
  assert.equal(routing('site:example.com site:co.uk'), undefined)
  assert.equal(routing('-site:example.com'), undefined)
})

test('words are ranked, filters are not, and without words the newest come first', () => {
  assert.deepEqual(searchBody(parseQuery('web')).sort, [{ _score: 'desc' }, { date: 'desc' }, { key: 'desc' }])
  assert.deepEqual(searchBody(parseQuery('lang:en')).sort, [{ date: 'desc' }, { key: 'desc' }])
})

test('no query has more parts than an engine accepts', () => {
  const word = fc.constantFrom(
    'web',
    'a-b-c-d-e-f-g-h-i-j*',
    '東京都庁の展望室',
    'Python入',
    '-"x y z"',
    'title:東',
    'w*',
  )
  const query = fc.oneof(
    fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
    fc.constantFrom('東京'.repeat(600), `"${'a '.repeat(600)}"`, 'a-'.repeat(600), `${'東a'.repeat(400)}*`),
  )
  fc.assert(fc.property(query, (typed) => assert.ok(partsOf(searchBody(parseQuery(typed)).query) < 1024)))
})

/** How an engine counts: every word of a phrase, and every ending it may have, in every field. */
function partsOf(query: unknown): number {
  if (typeof query !== 'object' || query === null) return 0
  if ('multi_match' in query) {
    const { query: words, fields, max_expansions } = query.multi_match as MultiMatch
    return (words.split(' ').length + (max_expansions ?? 0)) * fields.length
  }
  if ('prefix' in query) return 1
  return Object.values(query)
    .map(partsOf)
    .reduce((sum, parts) => sum + parts, 0)
}

interface MultiMatch {
  readonly query: string
  readonly fields: readonly string[]
  readonly max_expansions?: number
}
