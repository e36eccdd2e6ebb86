import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openDatabase } from '../../../embedded/database.ts'
import { newCrawl, openSearchForTests, testEngine } from '../../../engines/opensearch/test-engine.ts'
import { type CanonicalUrl, hostOf, loadFingerprint } from '../../../url/keys.ts'
import type { SearchDocument, SearchIndex } from '../../search-index.ts'
import { embeddedIndex } from '../embedded/embedded-index.ts'
import { openTestIndex } from './test-index.ts'

const WORDS = [
  'web',
  'webs',
  'Website',
  'Käse',
  'kase',
  'ΕΛΛΆΔΑΣ',
  'ελλάδα',
  'чай',
  'Ёлка',
  '東京都',
  '京都',
  '都',
  'タワー',
  'हिन्दी',
]
const MORE = [
  '서울이다',
  'มหานคร',
  'ﬁne',
  'C++',
  "don't",
  'a.b',
  'e\u0301te',
  '2024',
  'ｗｅｂ',
  '𠮷野家',
  '\ud800',
  '\u0001',
  'x_y',
  '…',
  'İstanbul',
  'straße',
]
const HOSTS = ['a.test', 'www.a.test', 'b.test:8080', 'example.co.uk', 'shop.example.co.uk', '127.0.0.1:81']
const DAYS = ['2023-12-31', '2024-01-01', '2024-06-15', '1969-01-01']

const word = fc.constantFrom(...WORDS, ...MORE)
const text = fc
  .array(word, { maxLength: 12 })
  .chain((words) => fc.constantFrom(' ', '-', '', ', ', '\n').map((between) => words.join(between)))
const document = fc.record({
  host: fc.constantFrom(...HOSTS),
  ...{ title: text, description: text, text },
  lang: fc.constantFrom('en', 'en-GB', 'de', '', 'EN-us', 'x'),
  date: fc.constantFrom(...DAYS).map((day) => Date.parse(day)),
})

const part = fc.oneof(
  { weight: 4, arbitrary: word },
  word.map((word) => `${word}*`),
  word.map((word) => word.slice(0, 2)),
  fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`),
  word.map((word) => `title:${word}`),
  fc.constantFrom(...HOSTS, 'test', 'co.uk').map((host) => `site:${host}`),
  fc.constantFrom('en', 'de', 'x').map((lang) => `lang:${lang}`),
  fc.constantFrom(...DAYS).chain((day) => fc.constantFrom(`after:${day}`, `before:${day}`)),
)
const query = fc
  .array(fc.tuple(fc.constantFrom('', '', '', '-'), part), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([minus, part]) => minus + part).join(' '))

test('the embedded index and this one find the same pages, with the same excerpts', {
  skip: openSearchForTests.skip,
}, async () => {
  const documents = fc.sample(document, { numRuns: 150, seed: 7 }).map((drawn, i): SearchDocument => {
    const url = `http://${drawn.host}/${i}` as CanonicalUrl
    return { ...drawn, url, host: hostOf(url), fetchedAt: 1 }
  })
  const textOf = async (url: CanonicalUrl) => documents.find((document) => document.url === url)
  using database = openDatabase(':memory:')
  const embedded = embeddedIndex(database, await loadFingerprint(), textOf)
  const remote = await openTestIndex(testEngine(), newCrawl(), textOf)
  for (const document of documents) await Promise.all([embedded.put(document), remote.put(document)])
  await remote.settled()
  let compared = 0
  await fc.assert(
    fc.asyncProperty(query, async (typed) => {
      const expected = await answer(embedded, typed)
      compared += expected.length
      assert.deepEqual(await answer(remote, typed), expected)
    }),
    { numRuns: 150 },
  )
  assert.ok(compared > 150, `${compared} hits compared`)
})

async function answer(index: SearchIndex, typed: string) {
  const hits = await index.search(typed, 1000)
  return hits.map(({ url, excerpt }) => `${url} ${excerpt}`).sort()
}
