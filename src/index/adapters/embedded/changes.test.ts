import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { openDatabase } from '../../../embedded/database.ts'
import { foundNumbers, numbered, smallIndex, upTo } from './test-words.ts'

const change = fc.record({
  n: fc.integer({ min: 0, max: 40 }),
  word: fc.constantFrom('one', 'two', 'three'),
  what: fc.constantFrom('put', 'put', 'put', 'remove', 'commit', 'reopen'),
})

test('pages put, replaced and removed in any order are found by what they are now', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 400, minLength: 100 }), async (changes) => {
      const file = join(folder, `${run++}.sqlite`)
      const open = () => openDatabase(file, { commitEveryMs: 3_600_000 })
      let database = open()
      let index = smallIndex(database)
      const expected = new Map<number, string>()
      for (const { n, word, what } of changes) {
        if (what === 'put') await index.put(numbered(n, `all ${word}`))
        else if (what === 'remove') await index.remove(numbered(n, '').url)
        else if (what === 'commit') database.commit()
        else {
          database[Symbol.dispose]()
          database = open()
          index = smallIndex(database)
        }
        if (what === 'put') expected.set(n, word)
        if (what === 'remove') expected.delete(n)
      }
      const having = (word: string) => [...expected].filter(([, is]) => is === word).map(([n]) => n)
      const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)
      for (const word of ['one', 'two', 'three'])
        assert.deepEqual(await foundNumbers(index, word), sorted(having(word)))
      assert.deepEqual(await foundNumbers(index, 'all -one'), sorted([...having('two'), ...having('three')]))
      assert.deepEqual(await foundNumbers(index, '"all two"'), sorted(having('two')))
      database[Symbol.dispose]()
    }),
    { numRuns: 40 },
  )
})

test('segments stay few, and what was replaced many times leaves nothing behind', async () => {
  using database = openDatabase(':memory:', { commitEveryMs: 3_600_000 })
  const index = smallIndex(database, { mergedBytes: 1 << 20 })
  for (let round = 0; round < 50; round++)
    for (const n of upTo(20)) {
      await index.put(numbered(n, `round${round}`))
      database.commit()
    }
  for (let i = 0; i < 50; i++) {
    database.write()
    database.commit()
  }
  const { n, documents } = database
    .prepare("SELECT count(*) AS n, sum(documents) AS documents FROM word_segment WHERE state = 'live'")
    .get() as { n: number; documents: number }
  assert.ok(n <= 24, `${n} segments`)
  assert.ok(documents <= 60, `${documents} documents`)
  assert.deepEqual(await foundNumbers(index, 'round49'), upTo(20))
  assert.deepEqual(await foundNumbers(index, 'round48'), [])
})

test('a reader beside a crawl finds at any moment all that was committed, once', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'crawl.sqlite')
  using database = openDatabase(file, { commitEveryMs: 3_600_000 })
  const index = smallIndex(database)
  using readOnly = openDatabase(file, { readOnly: true })
  const reader = smallIndex(readOnly)
  for (let n = 0; n < 150; n++) {
    await index.put(numbered(n, `common word${n}`))
    assert.deepEqual(await foundNumbers(reader, 'common'), upTo(n))
    database.commit()
  }
})

test('hostile pages are indexed in bounded room, and those beside them as ever', async () => {
  using database = openDatabase(':memory:', { commitEveryMs: 3_600_000 })
  const index = smallIndex(database)
  await index.put(numbered(0, 'before'))
  await index.put(
    numbered(
      1,
      upTo(1_000_000)
        .map((i) => i.toString(36))
        .join(' '),
    ),
  )
  await index.put(numbered(2, 'x'.repeat(20_000_000)))
  await index.put(numbered(3, `${'again '.repeat(1_000_000)}`))
  await index.put(numbered(4, String.fromCharCode(...upTo(60_000).map((i) => (i * 7919) % 65_536))))
  await index.put(numbered(5, '\0\ud800\u0301'.repeat(10_000)))
  for (const n of [6, 7, 8]) await index.put(numbered(n, 'after'))
  database.commit()
  assert.deepEqual(await foundNumbers(index, 'before'), [0])
  assert.deepEqual(await foundNumbers(index, 'after'), [6, 7, 8])
  assert.deepEqual(await foundNumbers(index, '"again again"'), [3])
  assert.deepEqual(await foundNumbers(index, 'x'.repeat(900)), [2])
  assert.deepEqual(await foundNumbers(index, '2s'), [1])
})
