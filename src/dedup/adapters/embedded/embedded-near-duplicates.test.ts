import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Database, openDatabase } from '../../../embedded/database.ts'
import { onTestDatabase } from '../../../embedded/test-database.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { nearDuplicatesConformance } from '../../near-duplicates.conformance.ts'
import { MAX_MEMBERS } from './bucket.ts'
import { embeddedNearDuplicates } from './embedded-near-duplicates.ts'

nearDuplicatesConformance('embedded', onTestDatabase(embeddedNearDuplicates))
nearDuplicatesConformance('embedded, each bucket written with its commit', onTestDatabase(nothingWaits))

function nothingWaits(database: Database) {
  return embeddedNearDuplicates(database, 0)
}

test('a crowded bucket stops growing, and its newest members are still found', async () => {
  using database = openDatabase(':memory:')
  const near = nothingWaits(database)
  const total = MAX_MEMBERS * 3
  for (let i = 0; i < total; i++) {
    await near.findOrAdd(urlOf(i), crowded(i))
    database.commit()
  }
  const { size } = database.prepare('SELECT max(length(members)) AS size FROM near_bucket').get() as { size: number }
  assert.equal(size, MAX_MEMBERS * 12)
  assert.equal(await near.findOrAdd(urlOf(-1), crowded(total - 1)), urlOf(total - 1))
  // Pushed out of the crowded bucket, still found by its other blocks.
  assert.equal(await near.findOrAdd(urlOf(-1), crowded(0)), urlOf(0))
})

for (const maxWaiting of [0, 100, 100_000])
  test(`whenever the process is killed, every committed original is found, with ${maxWaiting} that may wait`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-test-'))
    t.after(() => rmSync(folder, { recursive: true }))
    for (let run = 0, added = 0; run < 8; run++) {
      using database = openDatabase(join(folder, `${run}.db`))
      const near = embeddedNearDuplicates(database, maxWaiting)
      for (let i = 0; i < added; i++) assert.equal(await near.findOrAdd(urlOf(-1), crowded(i)), urlOf(i))
      for (const last = added + ((run * 37) % 60); added <= last; added++) {
        await near.findOrAdd(urlOf(added), crowded(added))
        if (added % (run + 1) === 0 || added === last) database.commit()
      }
      await near.findOrAdd(urlOf(-2), crowded(1000))
      // What is on disk at this moment is what a killed process leaves behind.
      for (const file of ['.db', '.db-wal']) copyFileSync(join(folder, run + file), join(folder, run + 1 + file))
    }
  })

test('few originals wait in memory and write no bucket, many leave no more waiting than allowed', async () => {
  using database = openDatabase(':memory:')
  const near = embeddedNearDuplicates(database, 400)
  const written = () => database.prepare('SELECT sum(length(members)) / 12 AS count FROM near_bucket').get()?.count
  const addUpTo = async (from: number, to: number) => {
    for (let i = from; i < to; i++) await near.findOrAdd(urlOf(i), crowded(i))
    database.commit()
  }
  await addUpTo(0, 100)
  assert.equal(written(), null)
  await addUpTo(100, 300)
  assert.ok(Number(written()) >= 800, `${written()}`)
  for (let i = 0; i < 300; i++) assert.equal(await near.findOrAdd(urlOf(-1), crowded(i)), urlOf(i))
})

test('what is no fingerprint is near to nothing', async () => {
  using database = openDatabase(':memory:')
  const near = embeddedNearDuplicates(database)
  for (const text of ['xyz', '0'.repeat(15), '0'.repeat(17), 'g'.repeat(16)])
    for (const url of [urlOf(1), urlOf(2)]) assert.equal(await near.findOrAdd(url, text), undefined)
})

function urlOf(i: number): CanonicalUrl {
  return `https://a.test/${i}` as CanonicalUrl
}

/** All share the first block; the others are spread so that no two are near. */
function crowded(i: number): string {
  const block = (factor: number) => (Math.imul(i + 1, factor) >>> 16).toString(16).padStart(4, '0')
  return `cafe${block(0x9e3779b1)}${block(0x85ebca6b)}${block(0xc2b2ae35)}`
}
