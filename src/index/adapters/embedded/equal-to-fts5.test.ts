import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Database, openDatabase } from '../../../embedded/database.ts'
import { type CanonicalUrl, loadFingerprint } from '../../../url/keys.ts'
import { parseQuery, type Term } from '../../query.ts'
import type { SearchDocument } from '../../search-index.ts'
import { termTokens } from '../../term-tokens.ts'
import { indexedText } from '../../words.ts'
import { embeddedIndex } from './embedded-index.ts'
import { usualLimits } from './word-index.ts'

const fingerprint = await loadFingerprint()
const word = fc.constantFrom(...'a an and ant web webs spider 東京都 京都 käse the the the the'.split(' '))
const text = (maxLength: number) => fc.array(word, { maxLength }).map((words) => words.join(' '))
const document = fc.record({ title: text(4), description: text(6), text: text(40) })
const part = fc.oneof(
  { weight: 4, arbitrary: word },
  word.map((word) => `${word}*`),
  fc.tuple(word, word).map((words) => `"${words.join(' ')}"`),
  fc.tuple(word, word, word).map((words) => `"${words.join(' ')}"`),
  fc.tuple(word, word).map(([a, b]) => `title:"${a} ${b}"`),
  word.map((word) => `title:${word}`),
)
const query = fc
  .array(fc.tuple(fc.constantFrom('', '', '', '-'), part), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([minus, part]) => minus + part).join(' '))
  .filter((typed) => parseQuery(typed).terms.length > 0)

/** SQLite's own full-text index, as the one to compare with. */
function fts5(database: Database, documents: readonly Pick<SearchDocument, 'title' | 'description' | 'text'>[]) {
  database.define("CREATE VIRTUAL TABLE fts USING fts5 (title, description, text, content = '', tokenize = ascii)")
  const insert = database.prepare('INSERT INTO fts (rowid, title, description, text) VALUES (?, ?, ?, ?)')
  for (const [i, { title, description, text }] of documents.entries())
    insert.run(i + 1, indexedText(title), indexedText(description), indexedText(text))
  const phrase = (term: Term) => {
    const { tokens, openEnd } = termTokens(term)
    return `${term.title ? 'title : ' : ''}"${tokens.join(' ')}"${openEnd ? ' *' : ''}`
  }
  const select = database.prepare('SELECT rowid AS id, -bm25(fts, 8, 3, 1) AS score FROM fts WHERE fts MATCH ?')
  return (typed: string) => {
    const { terms, without } = parseQuery(typed)
    const all = terms.map(phrase).join(' AND ')
    const match = without.length === 0 ? all : `(${all}) NOT (${without.map(phrase).join(' OR ')})`
    const found = select.all(match) as unknown as { id: number; score: number }[]
    return found.sort((a, b) => b.score - a.score || a.id - b.id)
  }
}

for (const logDocuments of [1000, 7, 1])
  test(`finds what FTS5 finds, with the same scores, ${logDocuments} documents in a segment`, async () => {
    const drawn = fc.sample(document, { numRuns: 150, seed: 11 })
    using database = openDatabase(':memory:')
    const index = embeddedIndex(database, fingerprint, async () => undefined, {
      limits: { ...usualLimits, logDocuments, mergedBytes: 1, borneSegments: 7 },
    })
    for (const [i, columns] of drawn.entries()) {
      const url = `http://a.test/${i + 1}` as CanonicalUrl
      await index.put({ ...columns, url, host: 'a.test', lang: '', date: 0 })
      if (i % 3 === 0) database.commit()
    }
    const reference = fts5(database, drawn)
    await fc.assert(
      fc.asyncProperty(query, async (typed) => {
        const expected = reference(typed)
        if (expected.length === 0) return
        const hits = await index.search(typed, 1000)
        const found = hits.map(({ url, score }) => ({ id: Number(new URL(url).pathname.slice(1)), score }))
        assert.deepEqual(found.map(({ id }) => id).toSorted(), expected.map(({ id }) => id).toSorted())
        const scores = new Map(expected.map(({ id, score }) => [id, score]))
        for (const { id, score } of found) assert.ok(Math.abs(score - scores.get(id)!) < 1e-6 * (1 + score), typed)
        assert.deepEqual(
          hits.map(({ score }) => score),
          hits.map(({ score }) => score).toSorted((a, b) => b - a),
        )
      }),
      { numRuns: 200 },
    )
  })
