import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { loadConfig } from '../../config/load.ts'
import { UsageError } from '../../config/usage-error.ts'
import type { CrawlReader } from '../../crawl-reader.ts'
import { openCrawlFolder } from '../../embedded/crawl-folder.ts'
import { openReader } from '../../embedded/open-reader.ts'
import { storageError } from '../../embedded/storage-error.ts'
import { CSV_COLUMNS, type CsvColumn, csvChunks, DEFAULT_CSV_COLUMNS } from '../../export/csv.ts'
import { everyKind, selected } from '../../export/exported-page.ts'
import { jsonlChunks } from '../../export/jsonl.ts'
import { exportMarkdown } from '../../export/markdown.ts'
import { parquetChunks } from '../../export/parquet.ts'
import { exportWarcFiles } from '../../export/warc.ts'
import { type Destination, destinationOf } from '../../export/warehouse/destination.ts'
import { exportWarehouse } from '../../export/warehouse/export-warehouse.ts'
import { openPartStore } from '../../export/warehouse/open-part-store.ts'
import { type Chunks, writeChunks } from '../../export/write-chunks.ts'
import { newCrawlName } from '../../fleet/crawl-name.ts'
import { checkedId } from '../../fleet/registry/keys.ts'
import { toUtf8 } from '../../parse/charset.ts'
import { toMarkdown } from '../../parse/markdown.ts'
import type { UrlRecord } from '../../store/url-record.ts'
import type { Command, Given, Invocation } from '../command.ts'
import { sourcesOf } from '../crawl-settings.ts'
import { fleetOf, openCrawlOf } from '../open-crawl.ts'
import { harmless } from '../terminal.ts'
import { counted as inWords } from '../units.ts'

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
    name: { type: 'string', value: 'NAME', help: "the crawl's name in a warehouse (its first host and its start)" },
    columns: { type: 'string', value: 'A,B,…', help: 'columns of csv' },
    all: { type: 'boolean', help: 'redirects and other answers too, not only pages' },
  },
  async run(invocation) {
    const { given, terminal } = invocation
    const format = (given.format ?? 'jsonl') as Format
    if (!formats.includes(format)) throw new UsageError(`--format takes ${formats.join(', ')}, not "${format}".`)
    const columns = columnsFrom(given)
    const to = given.to as string | undefined
    if (to === undefined && format !== 'jsonl' && format !== 'csv')
      throw new UsageError(`Name where to write ${format}: --to PATH.`)
    const target = targetFrom(format, given)
    if (format === 'warc') return exportWarc(invocation, to!)
    await using reader = await openCrawlOf(invocation)
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
        if (target.kind === 'file') await writeTo(target.path, parquetChunks(records))
        else await exportTables(records, target, reader, invocation)
        break
      case 'markdown':
        counter.records = (await exportMarkdown(records, to!, (record) => markdownOf(reader, record))).files
        break
      default:
        format satisfies never
    }
    if (to !== undefined) terminal.note(`${inWords(counter.records, 'record')} written to ${to}.`)
    return 0
  },
}

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

/** Where Parquet goes; elsewhere a path is a path. */
function targetFrom(format: Format, { to, name }: Given): Destination {
  const target = destinationOf(String(to ?? ''))
  if (target.kind === 'bucket' && format !== 'parquet')
    throw new UsageError(`A bucket takes only parquet; ${format} goes to a file or folder.`)
  if (name !== undefined && (format !== 'parquet' || target.kind === 'file'))
    throw new UsageError('--name is for tables of parquet: let --to name a folder or a bucket.')
  if (name !== undefined) checkedId(String(name))
  return target
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

/** Tables of pages and links, in a folder or a bucket. */
async function exportTables(
  records: AsyncIterable<UrlRecord>,
  target: Exclude<Destination, { kind: 'file' }>,
  { orders, crawl: nameInFleet }: CrawlReader,
  invocation: Invocation,
): Promise<void> {
  const { name } = invocation.given
  const crawl = String(name ?? nameInFleet ?? newCrawlName(orders.seeds, new Date(orders.createdAt)))
  const s3 = () => loadConfig(sourcesOf(invocation)).config.engines.s3
  await using store = await openPartStore(target, crawl, s3)
  await exportWarehouse(records, crawl, store)
}

async function exportWarc(invocation: Invocation, to: string): Promise<number> {
  if (invocation.given.server !== undefined)
    throw new UsageError(
      "WARC files are not sent by a server: they lie in its crawl's folder, or in the fleet's bucket.",
    )
  if (fleetOf(invocation))
    throw new UsageError('The archive of a fleet lies in its bucket as WARC files: copy them from there.')
  const folder = openCrawlFolder(invocation.out)
  await using reader = await openReader(folder)
  await exportWarcFiles(folder.archive, reader.archiveFiles(), to)
  invocation.terminal.note(`Archive copied to ${to}.`)
  return 0
}

async function* shown(chunks: Chunks): Chunks {
  for await (const chunk of chunks) yield harmless(String(chunk), process.stdout)
}

async function markdownOf({ archive }: CrawlReader, record: UrlRecord): Promise<string> {
  const response = record.warc && record.contentType.includes('html') ? await archive.read(record.warc) : undefined
  return response ? toMarkdown(toUtf8(response.body, record.contentType).bytes, record.url) : record.text
}
