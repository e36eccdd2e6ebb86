import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDatabase } from '../../../embedded/database.ts'
import { foundNumbers, numbered, smallIndex, upTo } from './test-words.ts'

function databaseFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'crawl.sqlite')
}

/** Answers how many documents, from the first on, it has committed before it died. */
function dieWriting(file: string, first: number, count: number): number {
  const fixture = join(import.meta.dirname, 'dying-writer.fixture.ts')
  const { stdout, signal, stderr } = spawnSync(process.execPath, [fixture, file, String(first), String(count)])
  assert.equal(signal, 'SIGKILL', String(stderr))
  return Number(String(stdout).trim().split('\n').at(-1)) + 1
}

test('whatever was committed is found after kill -9, again and again, in log, segments and merged segments', async (t) => {
  const file = databaseFile(t)
  let committed = 0
  for (const count of [4, 8, 100, 31, 200]) {
    committed = dieWriting(file, committed, count)
    using database = openDatabase(file, { readOnly: true })
    const index = smallIndex(database)
    assert.deepEqual(await foundNumbers(index, 'common'), upTo(committed))
    for (const n of [0, committed >> 1, committed - 1]) assert.deepEqual(await foundNumbers(index, `word${n}`), [n])
    assert.deepEqual(await foundNumbers(index, `word${committed}`), [])
  }
})

test('what an interrupted merge had written is cleared away, and nothing is lost or found twice', async (t) => {
  const file = databaseFile(t)
  const states = "SELECT count(*) AS n FROM word_segment WHERE state = 'growing'"
  const text = (n: number) =>
    `common word${n} ${upTo(2000)
      .map((i) => `w${n}x${i}`)
      .join(' ')}`
  let count = 0
  {
    using database = openDatabase(file, { commitEveryMs: 3_600_000 })
    const index = smallIndex(database)
    // A part is written by each step: this stops in between.
    for (; database.prepare(states).get()!.n === 0; count++) {
      await index.put(numbered(count, text(count)))
      database.commit()
    }
    assert.ok(count > 40)
  }
  using database = openDatabase(file, { commitEveryMs: 3_600_000 })
  const index = smallIndex(database, { mergedBytes: 1 << 20 })
  assert.deepEqual(await foundNumbers(index, 'common'), upTo(count))
  for (let n = count; n < count + 15; n++) {
    await index.put(numbered(n, text(n)))
    database.commit()
  }
  assert.deepEqual(await foundNumbers(index, 'common'), upTo(count + 15))
  assert.deepEqual(await foundNumbers(index, 'w7x1999'), [7])
  const orphans = 'SELECT count(*) AS n FROM word_part WHERE id / 16777216 NOT IN (SELECT id FROM word_segment)'
  assert.equal(database.prepare(orphans).get()!.n, 0)
  assert.equal(database.prepare("SELECT count(*) AS n FROM word_segment WHERE state <> 'live'").get()!.n, 0)
})

for (const [what, damage] of [
  ['the log', 'UPDATE word_log SET data = substr(data, 1, length(data) / 2)'],
  ['a part', "UPDATE word_part SET data = CAST(replace(CAST(data AS TEXT), 'a', 'b') AS BLOB)"],
  ['the documents of a segment', 'UPDATE word_segment_documents SET data = zeroblob(length(data))'],
  ['a part that is gone', 'DELETE FROM word_part'],
] as const)
  test(`damage to ${what} is told in a sentence`, async () => {
    using database = openDatabase(':memory:', { commitEveryMs: 3_600_000 })
    const index = smallIndex(database)
    for (const n of upTo(8)) await index.put(numbered(n, 'common banana'))
    database.commit()
    database.write()
    database.prepare(damage).run()
    const damaged = { name: 'StorageError', code: 'corrupt', message: /search index is damaged/ }
    await assert.rejects(smallIndex(database).search('banana', 10), damaged)
  })
