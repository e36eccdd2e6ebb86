import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../../embedded/database.ts'
import { onTestDatabase } from '../../../embedded/test-database.ts'
import { type CanonicalUrl, loadFingerprint } from '../../../url/keys.ts'
import { searchIndexConformance } from '../../search-index.conformance.ts'
import { embeddedIndex } from './embedded-index.ts'

const fingerprint = await loadFingerprint()

searchIndexConformance('embedded', (t, textOf) =>
  onTestDatabase((database) => embeddedIndex(database, fingerprint, textOf))(t),
)

searchIndexConformance('embedded, where all fingerprints collide', (t, textOf) =>
  onTestDatabase((database) => embeddedIndex(database, () => Number.MAX_SAFE_INTEGER, textOf))(t),
)

test('a page whose text is no longer kept is found without an excerpt', async () => {
  using database = openDatabase(':memory:')
  const index = embeddedIndex(database, fingerprint, async () => undefined)
  const url = 'https://a.test/' as CanonicalUrl
  await index.put({ url, host: 'a.test', title: 'T', description: '', text: 'word', lang: '', date: 0 })
  const hits = await index.search('word', 1)
  assert.deepEqual([hits[0]?.url, hits[0]?.excerpt], [url, ''])
})

test('a reader that may not write searches what a crawl has committed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'crawl.db')
  using database = openDatabase(path)
  const index = embeddedIndex(database, fingerprint, async () => undefined)
  const url = 'https://a.test/' as CanonicalUrl
  await index.put({ url, host: 'a.test', title: '', description: '', text: 'word', lang: '', date: 0 })
  database.commit()
  using readOnly = openDatabase(path, { readOnly: true })
  assert.equal((await embeddedIndex(readOnly, fingerprint, async () => undefined).search('word', 1)).length, 1)
})
