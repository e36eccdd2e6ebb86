import assert from 'node:assert/strict'
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
