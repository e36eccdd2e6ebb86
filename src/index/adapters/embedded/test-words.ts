import type { Database } from '../../../embedded/database.ts'
import { type CanonicalUrl, loadFingerprint } from '../../../url/keys.ts'
import type { SearchDocument, SearchIndex } from '../../search-index.ts'
import { embeddedIndex } from './embedded-index.ts'
import { usualLimits, type WordIndexLimits } from './word-index.ts'

const fingerprint = await loadFingerprint()

/** An index whose log is full after few documents, so that there are segments and merges soon. */
export function smallIndex(database: Database, limits: Partial<WordIndexLimits> = {}): SearchIndex {
  return embeddedIndex(database, fingerprint, async () => undefined, {
    limits: { ...usualLimits, logDocuments: 5, mergedBytes: 1, borneSegments: 7, ...limits },
  })
}

export function numbered(n: number, text: string): SearchDocument {
  const url = `https://a.test/${n}` as CanonicalUrl
  return { url, host: 'a.test', title: '', description: '', text, lang: '', date: 0 }
}

/** The numbers of all documents that a query finds, in order. */
export async function foundNumbers(index: SearchIndex, query: string): Promise<number[]> {
  const hits = await index.search(query, 100_000)
  return hits.map(({ url }) => Number(url.slice('https://a.test/'.length))).sort((a, b) => a - b)
}

export const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
