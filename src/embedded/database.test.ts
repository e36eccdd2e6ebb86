import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Database, openDatabase } from './database.ts'

test('a group that the disk cannot take is gone as a whole, and nothing more is written', (t) => {
  const path = fileFor(t)
  using database = openDatabase(path, { commitEveryMs: 3_600_000 })
  database.define('CREATE TABLE thing (name)')
  add(database, 'committed')
  database.commit()
  database.prepare('PRAGMA max_page_count = 20').run()
  const full = { name: 'StorageError', code: 'disk-full' }
  assert.throws(() => {
    for (;;) add(database, 'x'.repeat(1000))
  }, full)
  assert.throws(() => add(database, 'afterwards'), full)
  assert.throws(() => database.commit(), full)
  assert.deepEqual(namesIn(database), ['committed'])
  using reopened = openDatabase(path)
  assert.deepEqual(namesIn(reopened), ['committed'])
})

test('a hook that fails takes its group with it', (t) => {
  const path = fileFor(t)
  using database = openDatabase(path, { commitEveryMs: 3_600_000 })
  database.define('CREATE TABLE thing (name)')
  database.beforeCommit(() => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  })
  add(database, 'lost')
  assert.throws(() => database.commit(), { name: 'StorageError', code: 'disk-full' })
  assert.throws(() => database.write(), { name: 'StorageError', code: 'disk-full' })
  assert.deepEqual(namesIn(database), [])
})

test('what is read by several statements is of one moment, also while another connection writes', (t) => {
  const path = fileFor(t)
  using database = openDatabase(path, { commitEveryMs: 3_600_000 })
  database.define('CREATE TABLE thing (name)')
  using reader = openDatabase(path, { readOnly: true })
  const seen = reader.reading(() => {
    const before = namesIn(reader)
    add(database, 'new')
    database.commit()
    return [before, namesIn(reader)]
  })
  assert.deepEqual(seen, [[], []])
  assert.deepEqual(namesIn(reader), ['new'])
  assert.throws(() => reader.reading(() => reader.prepare('SELECT name FROM absent').all()), /absent/)
  assert.deepEqual(
    reader.reading(() => namesIn(reader)),
    ['new'],
  )
})

test('a commit on the timer that fails is told once', async (t) => {
  using database = openDatabase(fileFor(t), { commitEveryMs: 1 })
  database.define('CREATE TABLE thing (name)')
  database.beforeCommit(() => {
    throw new Error('failed')
  })
  const { promise, resolve } = Promise.withResolvers<Error>()
  database.onFailure = resolve
  add(database, 'lost')
  assert.equal((await promise).message, 'failed')
})

test('tables are defined all or none', (t) => {
  using database = openDatabase(fileFor(t))
  assert.throws(() => database.define('CREATE TABLE thing (name); CREATE TABLE thing (name)'))
  database.define('CREATE TABLE thing (name)')
})

test('a fault while rows are read comes in our words', (t) => {
  using database = openDatabase(fileFor(t))
  const corrupt = Object.assign(new Error('malformed'), { errcode: 11 })
  const failing = database.prepare('SELECT value FROM json_each(?)')
  assert.throws(() => [...failing.iterate('no JSON')], /malformed JSON/)
  assert.throws(() => failing.all('no JSON'), /malformed JSON/)
  database.beforeCommit(() => {
    throw corrupt
  })
  database.write()
  assert.throws(() => database.commit(), { code: 'corrupt' })
})

function fileFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-database-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'crawl.sqlite')
}

function add(database: Database, name: string): void {
  database.write()
  database.prepare('INSERT INTO thing VALUES (?)').run(name)
}

function namesIn(database: Database): unknown[] {
  return database
    .prepare('SELECT name FROM thing')
    .all()
    .map((row) => row.name)
}
