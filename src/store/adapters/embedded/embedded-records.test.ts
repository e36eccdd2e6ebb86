import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDatabase } from '../../../embedded/database.ts'
import { onTestDatabase } from '../../../embedded/test-database.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { recordStoreConformance, recordsOf } from '../../record-store.conformance.ts'
import { blankRecord } from '../../url-record.fixture.ts'
import type { UrlRecord, VisitEntry } from '../../url-record.ts'
import { embeddedRecords } from './embedded-records.ts'

recordStoreConformance(
  'embedded',
  onTestDatabase((database) => embeddedRecords(database, largeFingerprint)),
)

recordStoreConformance(
  'embedded, where all fingerprints collide',
  onTestDatabase((database) => embeddedRecords(database, () => Number.MAX_SAFE_INTEGER)),
)

describe('what only the embedded records promise', () => {
  test('records at or beyond a place of an archive file are found, those before it and in other files are not', async () => {
    using database = openDatabase(':memory:')
    const records = embeddedRecords(database, largeFingerprint)
    for (const offset of [0, 100, 200]) await records.put(urlOf(offset), VISIT, recordAt(offset, 'one.warc.gz'))
    await records.put(urlOf(300), VISIT, recordAt(300, 'two.warc.gz'))
    assert.deepEqual([...records.placedFrom('one.warc.gz', 100)], [urlOf(100), urlOf(200)])
    assert.deepEqual([...records.placedFrom('none.warc.gz', 0)], [])
  })

  test('a record that was replaced is placed where its last exchange lies', async () => {
    using database = openDatabase(':memory:')
    const records = embeddedRecords(database, largeFingerprint)
    await records.put(urlOf(1), VISIT, recordAt(500, 'one.warc.gz'))
    await records.put(urlOf(1), { ...VISIT, at: 2 }, { ...recordAt(7, 'two.warc.gz'), url: urlOf(1) })
    assert.deepEqual([...records.placedFrom('one.warc.gz', 0)], [])
    assert.deepEqual([...records.placedFrom('two.warc.gz', 7)], [urlOf(1)])
  })

  test('a forgotten URL is as if never visited, and can be visited again at the same moment', async () => {
    using database = openDatabase(':memory:')
    const records = embeddedRecords(database, largeFingerprint)
    const record = recordAt(1, 'one.warc.gz')
    await records.put(urlOf(1), VISIT, record)
    await records.put(urlOf(2), VISIT, { ...record, url: urlOf(2) })
    records.forget(urlOf(1))
    records.forget(urlOf(3))
    assert.equal(await records.get(urlOf(1)), undefined)
    assert.deepEqual([...records.placedFrom('one.warc.gz', 0)], [urlOf(2)])
    assert.deepEqual(await recordsOf(records), [{ ...record, url: urlOf(2) }])
    assert.equal(await records.findByContent(record.contentHash), urlOf(2))
    assert.deepEqual([...records.withContent(record.contentHash)], [urlOf(2)])
    const later = { ...VISIT, at: VISIT.at + 1 }
    await records.put(urlOf(1), later, record)
    assert.deepEqual(await records.get(urlOf(1)), record)
    assert.deepEqual(await records.visits(urlOf(1)), [VISIT, later])
    assert.deepEqual([...records.withContent(record.contentHash)].sort(), [urlOf(1), urlOf(2)])
    assert.deepEqual([...records.withContent('')], [])
  })

  test('what a killed process had not committed is gone as a whole: visit and record', async (t) => {
    const open = onTestDatabase((database) => Object.assign(embeddedRecords(database, largeFingerprint), { database }))(
      t,
    )
    const records = await open()
    await records.put(urlOf(1), VISIT, recordAt(1, 'one.warc.gz'))
    records.database.commit()
    await records.put(urlOf(2), VISIT, recordAt(2, 'one.warc.gz'))
    const other = await open()
    assert.equal((await recordsOf(other)).length, 1)
    assert.deepEqual(await other.visits(urlOf(2)), [])
  })

  test('fingerprints of 53 bits are kept as integers and found through the index', async () => {
    using database = openDatabase(':memory:')
    const records = embeddedRecords(database, () => Number.MAX_SAFE_INTEGER)
    await records.put(urlOf(1), VISIT, recordAt(1, 'one.warc.gz'))
    const row = database.prepare('SELECT typeof(fingerprint) AS type, fingerprint FROM record').get()
    assert.deepEqual({ ...row }, { type: 'integer', fingerprint: Number.MAX_SAFE_INTEGER })
    const plan = database.prepare('EXPLAIN QUERY PLAN SELECT id FROM record WHERE fingerprint = ? AND url = ?').all()
    assert.match(String(plan[0]?.detail), /USING INDEX record_by_url/)
  })

  test('a long text is kept much smaller than it is', async () => {
    using database = openDatabase(':memory:')
    const records = embeddedRecords(database, largeFingerprint)
    await records.put(urlOf(1), VISIT, { ...recordAt(1, 'one.warc.gz'), text: 'the same words again '.repeat(1000) })
    const row = database.prepare('SELECT length(packed) AS bytes FROM record').get()
    assert.ok((row?.bytes as number) < 2000)
  })
})

const VISIT: VisitEntry = { at: 1, kind: 'page', status: 200, durationMs: 1, bytes: 1, detail: '' }

function urlOf(number: number): CanonicalUrl {
  return `https://a.test/${number}` as CanonicalUrl
}

function recordAt(offset: number, file: string): UrlRecord {
  const contentHash = 'ab'.repeat(32)
  return blankRecord(urlOf(offset), { contentHash, fetchedAt: 1, warc: { file, offset, length: 10 } })
}

/** Spreads over 53 bits, as the real one does. */
function largeFingerprint(text: string): number {
  let high = 0x9e3779b9
  let low = 0x85ebca6b
  for (let i = 0; i < text.length; i++) {
    high = Math.imul(high ^ text.charCodeAt(i), 0x01000193)
    low = Math.imul(low ^ text.charCodeAt(i), 0x5bd1e995)
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}
