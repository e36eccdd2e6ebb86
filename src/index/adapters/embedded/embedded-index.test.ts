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

// FTS5 keeps removals under rowids that a JavaScript number cannot hold: `run` threw on every statement after one.
test('replacing and removing pages whose words are on disk leaves the connection usable', async () => {
  using database = openDatabase(':memory:')
  const index = embeddedIndex(database, fingerprint, async () => undefined)
  const documents = Array.from({ length: 40 }, (_, i) => {
    const url = `https://a.test/${i}` as CanonicalUrl
    return { url, host: 'a.test', title: '', description: '', text: `old word ${i}`, lang: '', date: 0 }
  })
  for (const document of documents) {
    await index.put(document)
    database.commit()
  }
  for (const document of documents.slice(0, 20)) {
    await index.put({ ...document, text: 'new word' })
    database.prepare('DELETE FROM document WHERE id = -1').run()
    database.commit()
  }
  for (const { url } of documents.slice(10)) {
    await index.remove(url)
    database.prepare('DELETE FROM document WHERE id = -1').run()
    database.commit()
    database.prepare('DELETE FROM document WHERE id = -1').run()
  }
  assert.equal((await index.search('new', 100)).length, 10)
  assert.equal((await index.search('word', 100)).length, 10)
  assert.equal((await index.search('old', 100)).length, 0)
})
