import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { UsageError } from '../../config/usage-error.ts'
import type { CrawlReader } from '../../crawl-reader.ts'
import { type CrawlFolder, openCrawlFolder } from '../../embedded/crawl-folder.ts'
import { openReader } from '../../embedded/open-reader.ts'
import { storageError } from '../../embedded/storage-error.ts'
import { CSV_COLUMNS, type CsvColumn, csvChunks, DEFAULT_CSV_COLUMNS } from '../../export/csv.ts'
import { type RecordKind, selected } from '../../export/exported-page.ts'
import { jsonlChunks } from '../../export/jsonl.ts'
import { exportMarkdown } from '../../export/markdown.ts'
import { parquetChunks } from '../../export/parquet.ts'
import { exportWarcFiles } from '../../export/warc.ts'
import { crawlName, ownName } from '../../export/warehouse/crawl-name.ts'
import { type Destination, destinationOf } from '../../export/warehouse/destination.ts'
import { exportWarehouse } from '../../export/warehouse/export-warehouse.ts'
import { folderParts } from '../../export/warehouse/folder-parts.ts'
import type { PartStore } from '../../export/warehouse/part-store.ts'
import { type Chunks, writeChunks } from '../../export/write-chunks.ts'
import { toUtf8 } from '../../parse/charset.ts'
import { toMarkdown } from '../../parse/markdown.ts'
import type { UrlRecord } from '../../store/url-record.ts'
import type { Command, Given } from '../command.ts'
import { harmless } from '../terminal.ts'
import { showCount } from '../units.ts'

const formats = ['jsonl', 'csv', 'parquet', 'markdown', 'warc'] as const
type Format = (typeof formats)[number]

export const exportCommand: Command = {
  name: 'export',
  usage: `--format ${formats.join('|')} [--to PATH]`,
  summary: 'writes the pages of a crawl for other tools',
  details: `
jsonl and csv go to standard output unless --to names a file; markdown and warc need a folder. parquet needs a file
(NAME.parquet) for all pages, or a folder or s3://BUCKET/PREFIX for tables of pages and links as warehouses read them,
cut by crawl and date (docs/warehouse.md); a second export of the same crawl replaces the first.
Pages that ask not to be indexed (noindex) come without their text, and not at all as markdown. A crawl may be running meanwhile.

  orbweaver export --format jsonl > pages.jsonl
  orbweaver export --format csv --columns url,title,lang --to pages.csv
  orbweaver export --format markdown --to pages/
  orbweaver export --format parquet --to s3://my-bucket/crawls`,
  flags: {
    format: { type: 'string', value: formats.join('|'), help: 'how (jsonl)' },
    to: { type: 'string', value: 'PATH', help: 'file, folder or (parquet) s3://BUCKET/PREFIX to write' },
    crawl: { type: 'string', value: 'NAME', help: "the crawl's name in a warehouse (its first host and its start)" },
    columns: { type: 'string', value: 'A,B,…', help: 'columns of csv' },
    all: { type: 'boolean', help: 'redirects and other answers too, not only pages' },
  },
  async run({ out, given, terminal }) {
    const format = (given.format ?? 'jsonl') as Format
    if (!formats.includes(format)) throw new UsageError(`--format takes ${formats.join(', ')}, not "${format}".`)
    const columns = columnsFrom(given)
    const to = given.to as string | undefined
    if (to === undefined && format !== 'jsonl' && format !== 'csv')
      throw new UsageError(`Name where to write ${format}: --to PATH.`)
    if (format !== 'parquet' && to?.startsWith('s3:'))
      throw new UsageError(`Only parquet can be written to a bucket, ${format} to a file or folder.`)
    const folder = openCrawlFolder(out)
    await using reader = await openReader(folder)
    const counter = { records: 0 }
    const records = counted(selected(reader.records.scan(), given.all ? everyKind : undefined), counter)
    switch (format) {
      case 'jsonl':
        await writeTo(to, jsonlChunks(records))
        break
      case 'csv':
        await writeTo(to, csvChunks(records, columns))
        break
      case 'parquet':
        await exportParquet(records, to!, folder, given)
        break
      case 'markdown':
        counter.records = (await exportMarkdown(records, to!, (record) => markdownOf(reader, record))).files
        break
      case 'warc':
        await exportWarcFiles(folder.archive, reader.archiveFiles(), to!)
        break
      default:
        format satisfies never
    }
    if (to !== undefined)
      terminal.note(
        format === 'warc' ? `Archive copied to ${to}.` : `${showCount(counter.records)} records written to ${to}.`,
      )
    return 0
  },
}

const everyKind: readonly RecordKind[] = ['page', 'redirect', 'other', 'failed', 'excluded']

async function* counted(records: AsyncIterable<UrlRecord>, counter: { records: number }): AsyncIterable<UrlRecord> {
  for await (const record of records) {
    counter.records++
    yield record
  }
}

function columnsFrom({ columns }: Given): readonly CsvColumn[] {
  if (columns === undefined) return DEFAULT_CSV_COLUMNS
  return String(columns)
    .split(',')
    .map((name) => {
      const column = CSV_COLUMNS.find((known) => known === name.trim())
      if (!column) throw new UsageError(`There is no column "${name}". Columns: ${CSV_COLUMNS.join(', ')}.`)
      return column
    })
}

async function writeTo(path: string | undefined, chunks: Chunks): Promise<void> {
  if (path === undefined) return writeChunks(process.stdout.isTTY ? shown(chunks) : chunks, process.stdout, true)
  const file = createWriteStream(path)
  try {
    await once(file, 'open')
    await writeChunks(chunks, file)
  } catch (error) {
    throw storageError(path, error)
  }
}

async function exportParquet(
  records: AsyncIterable<UrlRecord>,
  to: string,
  { orders }: CrawlFolder,
  given: Given,
): Promise<void> {
  const destination = destinationOf(to)
  if (destination.kind === 'file') {
    if (given.crawl !== undefined)
      throw new UsageError('--crawl names a crawl in a warehouse: let --to name a folder or a bucket.')
    return writeTo(destination.path, parquetChunks(records))
  }
  const crawl = given.crawl === undefined ? ownName(orders.seeds, orders.createdAt) : crawlName(String(given.crawl))
  await using store = await partStore(destination, crawl, given)
  await exportWarehouse(records, crawl, store)
}

async function* shown(chunks: Chunks): Chunks {
  for await (const chunk of chunks) yield harmless(String(chunk), process.stdout)
}

async function markdownOf({ archive }: CrawlReader, record: UrlRecord): Promise<string> {
  const response = record.warc && record.contentType.includes('html') ? await archive.read(record.warc) : undefined
  return response ? toMarkdown(toUtf8(response.body, record.contentType).bytes, record.url) : record.text
}

async function partStore(
  destination: Exclude<Destination, { kind: 'file' }>,
  crawl: string,
  _given: Given,
): Promise<PartStore> {
  if (destination.kind === 'folder') return folderParts(destination.path, crawl)
  throw new UsageError('not yet')
}
