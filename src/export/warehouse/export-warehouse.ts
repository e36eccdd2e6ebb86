import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { storageError } from '../../embedded/storage-error.ts'
import type { UrlRecord } from '../../store/url-record.ts'
import { linksOf, linksTable } from './links-table.ts'
import { pagesTable } from './pages-table.ts'
import type { PartStore } from './part-store.ts'
import { DEFAULT_LIMITS, type Part, Partitions, type PartLimits } from './partitions.ts'

export interface WarehouseExport {
  /** Rows. */
  readonly pages: number
  readonly links: number
  readonly files: number
  readonly bytes: number
}

/**
 * Writes the pages of a crawl and their links as Parquet files, cut by crawl and by the date (UTC) on which a page was
 * fetched: `pages/crawl=…/date=YYYY-MM-DD/part-NNNNN.parquet` and `links/…`. Repeated, it replaces what it wrote before.
 * Each file is there whole or not at all; all of them are there, and none of an earlier export, once
 * `_exports/crawl=….json` is, which lists them.
 */
export async function exportWarehouse(
  records: AsyncIterable<UrlRecord>,
  crawl: string,
  store: PartStore,
  limits: PartLimits = DEFAULT_LIMITS,
): Promise<WarehouseExport> {
  const listPath = `_exports/crawl=${crawl}.json`
  await store.remove(listPath)
  const pages = new Partitions(pagesTable, crawl, store, limits)
  const links = new Partitions(linksTable, crawl, store, limits)
  for await (const record of records) {
    const date = dateOf(record.fetchedAt)
    await pages.add(date, record)
    for (const link of linksOf(record)) await links.add(date, link)
  }
  const parts = { pages: await pages.end(), links: await links.end() }
  await putList(store, listPath, { crawl, ...parts })
  return summary(parts)
}

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)

async function putList(store: PartStore, path: string, list: unknown): Promise<void> {
  const local = join(store.spool, 'list.json')
  try {
    await writeFile(local, `${JSON.stringify(list, null, 2)}\n`)
  } catch (error) {
    throw storageError(local, error)
  }
  await store.put(path, local)
}

function summary({ pages, links }: { pages: readonly Part[]; links: readonly Part[] }): WarehouseExport {
  const sum = (parts: readonly Part[], of: (part: Part) => number) => parts.reduce((all, part) => all + of(part), 0)
  const rows = (parts: readonly Part[]) => sum(parts, (part) => part.rows)
  const all = [...pages, ...links]
  return { pages: rows(pages), links: rows(links), files: all.length, bytes: sum(all, (part) => part.bytes) }
}
