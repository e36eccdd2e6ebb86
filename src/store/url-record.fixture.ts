import type { CanonicalUrl } from '../url/keys.ts'
import type { UrlRecord } from './url-record.ts'

/** A page of which nothing but its URL is known. */
export function blankRecord(url: string, changes: Partial<UrlRecord> = {}): UrlRecord {
  return {
    url: url as CanonicalUrl,
    finalUrl: url,
    kind: 'page',
    status: 200,
    contentType: 'text/html',
    title: '',
    description: '',
    keywords: [],
    lang: '',
    canonical: '',
    publishedAt: '',
    noindex: false,
    text: '',
    links: [],
    contentHash: '',
    simhash: '',
    duplicateOf: null,
    nearDuplicateOf: null,
    depth: 0,
    parent: null,
    fetchedAt: 0,
    warc: null,
    ...changes,
  }
}
