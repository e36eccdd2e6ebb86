import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { UrlRecord } from '../store/url-record.ts'
import { type ExportedPage, exportedPage } from './exported-page.ts'

/** Bound what is held in memory at once, in rows and in characters of text. */
export interface RowGroupLimits {
  readonly rows: number
  readonly chars: number
}

const DEFAULT_LIMITS: RowGroupLimits = { rows: 5000, chars: 8 * 1024 * 1024 }

type PageColumn = keyof ExportedPage

const text = (name: PageColumn): SchemaElement[] => [
  { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
]
const integer = (name: PageColumn): SchemaElement[] => [{ name, type: 'INT32', repetition_type: 'OPTIONAL' }]
/** The three-level list that DuckDB, Spark and BigQuery read as an array of strings. */
const list = (name: PageColumn): SchemaElement[] => [
  { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
]

const COLUMNS: { readonly [column in PageColumn]: readonly SchemaElement[] } = {
  url: text('url'),
  finalUrl: text('finalUrl'),
  status: integer('status'),
  contentType: text('contentType'),
  title: text('title'),
  description: text('description'),
  keywords: list('keywords'),
  lang: text('lang'),
  canonical: text('canonical'),
  publishedAt: text('publishedAt'),
  text: text('text'),
  contentHash: text('contentHash'),
  simhash: text('simhash'),
  duplicateOf: text('duplicateOf'),
  nearDuplicateOf: text('nearDuplicateOf'),
  depth: integer('depth'),
  parent: text('parent'),
  fetchedAt: [{ name: 'fetchedAt', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'OPTIONAL' }],
  links: list('links'),
  warc: [
    { name: 'warc', repetition_type: 'OPTIONAL', num_children: 3 },
    { name: 'file', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
    { name: 'offset', type: 'INT64', repetition_type: 'OPTIONAL' },
    { name: 'length', type: 'INT64', repetition_type: 'OPTIONAL' },
  ],
}
const NAMES = Object.keys(COLUMNS) as readonly PageColumn[]
const SCHEMA: SchemaElement[] = [{ name: 'page', num_children: NAMES.length }, ...Object.values(COLUMNS).flat()]

/** A Parquet file, one row group in memory at a time. */
export async function* parquetChunks(
  records: AsyncIterable<UrlRecord>,
  limits: RowGroupLimits = DEFAULT_LIMITS,
): AsyncGenerator<Buffer> {
  const bytes = new ByteWriter()
  // Statistics would copy the smallest and largest text of every group into the footer.
  const writer = new ParquetWriter({ writer: bytes, schema: SCHEMA, statistics: false })
  for await (const group of rowGroups(records, limits)) {
    await writer.write({ columnData: NAMES.map((name) => column(name, group)), rowGroupSize: group.length })
    yield taken(bytes)
  }
  await writer.finish()
  yield taken(bytes)
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

const column = (name: PageColumn, group: readonly ExportedPage[]) => ({
  name,
  data: group.map((page) => cell(page, name)),
  offsetIndex: false,
})

function cell(page: ExportedPage, name: PageColumn): unknown {
  if (name === 'fetchedAt') return new Date(page.fetchedAt)
  const { warc } = page
  if (name === 'warc') return warc && { ...warc, offset: BigInt(warc.offset), length: BigInt(warc.length) }
  return page[name]
}

/** What was written since the last time; offsets inside the file go on counting. */
function taken(bytes: ByteWriter): Buffer {
  const chunk = Buffer.from(bytes.getBytes())
  bytes.index = 0
  return chunk
}
