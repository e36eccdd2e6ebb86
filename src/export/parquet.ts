import type { UrlRecord } from '../store/url-record.ts'
import { type ExportedPage, exportedPage } from './exported-page.ts'
import { archivePlace, type Column, integer, moment, text, texts } from './parquet-columns.ts'
import { ParquetFile } from './parquet-file.ts'

/** Bound what is held in memory at once, in rows and in characters of text. */
export interface RowGroupLimits {
  readonly rows: number
  readonly chars: number
}

const DEFAULT_LIMITS: RowGroupLimits = { rows: 5000, chars: 8 * 1024 * 1024 }

const COLUMNS = {
  url: text((page) => page.url),
  finalUrl: text((page) => page.finalUrl),
  status: integer((page) => page.status),
  contentType: text((page) => page.contentType),
  title: text((page) => page.title),
  description: text((page) => page.description),
  keywords: texts((page) => page.keywords),
  lang: text((page) => page.lang),
  canonical: text((page) => page.canonical),
  publishedAt: text((page) => page.publishedAt),
  text: text((page) => page.text),
  contentHash: text((page) => page.contentHash),
  simhash: text((page) => page.simhash),
  duplicateOf: text((page) => page.duplicateOf),
  nearDuplicateOf: text((page) => page.nearDuplicateOf),
  depth: integer((page) => page.depth),
  parent: text((page) => page.parent),
  fetchedAt: moment((page) => page.fetchedAt),
  links: texts((page) => page.links),
  warc: archivePlace((page) => page.warc),
} satisfies { readonly [column in keyof ExportedPage]: Column<ExportedPage> }

/** A Parquet file, one row group in memory at a time. */
export async function* parquetChunks(
  records: AsyncIterable<UrlRecord>,
  limits: RowGroupLimits = DEFAULT_LIMITS,
): AsyncGenerator<Buffer> {
  const file = new ParquetFile('page', COLUMNS)
  for await (const group of rowGroups(records, limits)) yield file.rowGroup(group)
  yield file.end()
}

async function* rowGroups(records: AsyncIterable<UrlRecord>, limits: RowGroupLimits): AsyncGenerator<ExportedPage[]> {
  let group: ExportedPage[] = []
  let chars = 0
  for await (const record of records) {
    const page = exportedPage(record)
    group.push(page)
    chars += page.text.length + page.links.reduce((sum, link) => sum + link.length, 0)
    if (group.length < limits.rows && chars < limits.chars) continue
    yield group
    group = []
    chars = 0
  }
  if (group.length > 0) yield group
}
