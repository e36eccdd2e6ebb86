import { isProbe } from '../reading/missing-pages.ts'
import type { UrlRecord, WarcPlace } from '../store/url-record.ts'

/** One page as tools outside read it. Fields may be added, never renamed. */
export interface ExportedPage {
  readonly url: string
  readonly finalUrl: string
  readonly status: number | null
  readonly contentType: string
  readonly title: string
  readonly description: string
  readonly keywords: readonly string[]
  readonly lang: string
  readonly canonical: string
  readonly publishedAt: string
  /** Empty for a page that asks not to be indexed. */
  readonly text: string
  readonly contentHash: string
  readonly simhash: string
  readonly duplicateOf: string | null
  readonly nearDuplicateOf: string | null
  readonly depth: number
  readonly parent: string | null
  /** ISO 8601. */
  readonly fetchedAt: string
  readonly links: readonly string[]
  readonly warc: WarcPlace | null
}

export function exportedPage(record: UrlRecord): ExportedPage {
  const { warc } = record
  return {
    url: record.url,
    finalUrl: record.finalUrl,
    status: record.status,
    contentType: record.contentType,
    title: record.title,
    description: record.description,
    keywords: record.keywords,
    lang: record.lang,
    canonical: record.canonical,
    publishedAt: record.publishedAt,
    text: record.noindex ? '' : record.text,
    contentHash: record.contentHash,
    simhash: record.simhash,
    duplicateOf: record.duplicateOf,
    nearDuplicateOf: record.nearDuplicateOf,
    depth: record.depth,
    parent: record.parent,
    fetchedAt: new Date(record.fetchedAt).toISOString(),
    links: record.links,
    warc: warc && { file: warc.file, offset: warc.offset, length: warc.length },
  }
}

export type RecordKind = UrlRecord['kind']

export const everyKind: readonly RecordKind[] = ['page', 'redirect', 'other', 'failed', 'excluded']

/** Pages alone, unless redirects, failures and other answers are asked for. Nobody links to our own probes: they are left out. */
export async function* selected(
  records: AsyncIterable<UrlRecord>,
  kinds: readonly RecordKind[] = ['page'],
): AsyncGenerator<UrlRecord> {
  for await (const record of records) if (kinds.includes(record.kind) && !isProbe(record.url)) yield record
}
