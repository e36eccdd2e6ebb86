import type { UrlRecord } from '../store/url-record.ts'
import { type ExportedPage, exportedPage } from './exported-page.ts'
import { type Chunks, joined } from './write-chunks.ts'

type Cell = string | number | null

const COLUMNS = {
  url: (page) => page.url,
  finalUrl: (page) => page.finalUrl,
  status: (page) => page.status,
  contentType: (page) => page.contentType,
  title: (page) => page.title,
  description: (page) => page.description,
  keywords: (page) => page.keywords.join('; '),
  lang: (page) => page.lang,
  canonical: (page) => page.canonical,
  publishedAt: (page) => page.publishedAt,
  text: (page) => page.text,
  contentHash: (page) => page.contentHash,
  simhash: (page) => page.simhash,
  duplicateOf: (page) => page.duplicateOf,
  nearDuplicateOf: (page) => page.nearDuplicateOf,
  depth: (page) => page.depth,
  parent: (page) => page.parent,
  fetchedAt: (page) => page.fetchedAt,
  links: (page) => page.links.join(' '),
  warcFile: (page) => page.warc?.file ?? null,
  warcOffset: (page) => page.warc?.offset ?? null,
  warcLength: (page) => page.warc?.length ?? null,
} satisfies Record<string, (page: ExportedPage) => Cell>

export type CsvColumn = keyof typeof COLUMNS

export const CSV_COLUMNS = Object.keys(COLUMNS) as readonly CsvColumn[]
/** Texts and links make a table that nobody can look at; whoever wants them asks for them. */
export const DEFAULT_CSV_COLUMNS = CSV_COLUMNS.filter((column) => column !== 'text' && column !== 'links')

/** RFC 4180, with a head line. */
export const csvChunks = (
  records: AsyncIterable<UrlRecord>,
  columns: readonly CsvColumn[] = DEFAULT_CSV_COLUMNS,
): Chunks => joined(csvLines(records, columns))

async function* csvLines(records: AsyncIterable<UrlRecord>, columns: readonly CsvColumn[]): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`
  for await (const record of records) {
    const page = exportedPage(record)
    yield `${columns.map((column) => csvCell(COLUMNS[column](page))).join(',')}\r\n`
  }
}

/**
 * A page's title may begin with `=` and so become a formula in the spreadsheet of whoever opens the table; a leading
 * apostrophe makes it text again.
 */
function csvCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
