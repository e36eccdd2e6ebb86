import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import type { UrlRecord } from '../../store/url-record.ts'
import { recordOf, scanOf } from '../record.fixture.ts'
import { exportWarehouse } from './export-warehouse.ts'
import { folderParts } from './folder-parts.ts'
import { DEFAULT_LIMITS, type PartLimits } from './partitions.ts'

const day = 24 * 3600 * 1000
const start = Date.UTC(2025, 0, 1)

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'orbweaver-parts-'))

  async export(records: AsyncIterable<UrlRecord>, limits: Partial<PartLimits> = {}, crawl = 'c') {
    await using store = folderParts(this.path, crawl)
    return await exportWarehouse(records, crawl, store, { ...DEFAULT_LIMITS, ...limits })
  }

  files(ending = '.parquet'): string[] {
    const names = readdirSync(this.path, { recursive: true, encoding: 'utf8' })
    return names.filter((name) => name.endsWith(ending)).sort()
  }

  bytes(name: string): ArrayBuffer {
    return new Uint8Array(readFileSync(join(this.path, name))).buffer
  }

  async rows(name: string): Promise<Record<string, unknown>[]> {
    return await parquetReadObjects({
      file: this.bytes(name),
      compressors: { ZSTD: (input) => new Uint8Array(zstdDecompressSync(input)) },
    })
  }

  /** URLs of all parts of the pages. */
  async urls(): Promise<string[]> {
    const urls: string[] = []
    for (const name of this.files())
      if (name.startsWith('pages')) urls.push(...(await this.rows(name)).map(({ url }) => String(url)))
    return urls.sort()
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true })
  }
}

const manyRecords = (count: number, days: number) =>
  Array.from({ length: count }, (_, i) =>
    recordOf(`https://e.com/${String(i).padStart(4, '0')}`, {
      fetchedAt: start + (i % days) * day,
      text: `${i} `.repeat(200),
    }),
  )
const urlsOf = (records: readonly UrlRecord[]) => records.map(({ url }) => String(url)).sort()

describe('export for a warehouse', () => {
  it('cuts pages and links by crawl and by the day of the visit, in UTC', async () => {
    using folder = new Folder()
    const summary = await folder.export(
      scanOf(
        recordOf('https://e.com/', { fetchedAt: start - 1 }),
        recordOf('https://e.com/1', { fetchedAt: start, links: ['https://e.com/'] }),
      ),
    )
    assert.deepEqual(folder.files(), [
      'links/crawl=c/date=2024-12-31/part-00000.parquet',
      'links/crawl=c/date=2025-01-01/part-00000.parquet',
      'pages/crawl=c/date=2024-12-31/part-00000.parquet',
      'pages/crawl=c/date=2025-01-01/part-00000.parquet',
    ])
    assert.deepEqual([summary.pages, summary.links, summary.files], [2, 3, 4])
    const [page] = await folder.rows('pages/crawl=c/date=2025-01-01/part-00000.parquet')
    assert.equal(page?.url, 'https://e.com/1')
    assert.deepEqual(page?.fetched_at, new Date(start))
    assert.deepEqual(page?.keywords, ['one', 'two'])
    const [link] = await folder.rows('links/crawl=c/date=2025-01-01/part-00000.parquet')
    assert.deepEqual([link?.source_url, link?.target_url], ['https://e.com/1', 'https://e.com/'])
  })

  it('begins a new part when one is full, and a row group within bounds', async () => {
    using folder = new Folder()
    const records = manyRecords(200, 1)
    await folder.export(scanOf(...records), { groupRows: 20, fileBytes: 4000 })
    const parts = folder.files().filter((name) => name.startsWith('pages'))
    assert.ok(parts.length > 2, `${parts.length} parts`)
    for (const name of parts) {
      const { row_groups } = parquetMetadata(folder.bytes(name))
      assert.ok(row_groups.every(({ num_rows }) => num_rows <= 20n))
    }
    assert.deepEqual(await folder.urls(), urlsOf(records))
  })

  it('holds a bounded number of rows, however many days are mixed', async () => {
    using folder = new Folder()
    const records = manyRecords(300, 30)
    await folder.export(scanOf(...records), { heldBytes: 40_000 })
    const groups = folder
      .files()
      .filter((name) => name.startsWith('pages'))
      .flatMap((name) => parquetMetadata(folder.bytes(name)).row_groups)
    // Each row takes some 2 KB: 20 are held at once, so that the 10 of a day do not wait for each other.
    assert.ok(groups.length > 100, `${groups.length} row groups`)
    assert.deepEqual(await folder.urls(), urlsOf(records))
  })

  it('closes the largest part when those that are being written take too much disk', async () => {
    using folder = new Folder()
    const records = manyRecords(100, 3)
    await folder.export(scanOf(...records), { groupRows: 5, spoolBytes: 5000 })
    const parts = folder.files().filter((name) => name.startsWith('pages'))
    assert.ok(parts.length > 5, `${parts.length} parts`)
    assert.deepEqual(await folder.urls(), urlsOf(records))
  })

  it('repeated replaces what it wrote before, and leaves other crawls and other files alone', async () => {
    using folder = new Folder()
    await folder.export(scanOf(recordOf('https://other.com/')), {}, 'other')
    await folder.export(scanOf(...manyRecords(50, 5)), { groupRows: 5, fileBytes: 100 })
    writeFileSync(join(folder.path, 'pages/crawl=c/notes.txt'), 'mine')
    const records = manyRecords(3, 2).map((record) => ({ ...record, fetchedAt: record.fetchedAt + 30 * day }))
    await folder.export(scanOf(...records))
    assert.deepEqual(await folder.urls(), [...urlsOf(records), 'https://other.com/'])
    assert.deepEqual(readdirSync(join(folder.path, 'pages/crawl=c')).sort(), [
      'date=2025-01-31',
      'date=2025-02-01',
      'notes.txt',
    ])
  })

  it('lists its parts last, so that an export that failed is known by the lack of its list', async () => {
    using folder = new Folder()
    const records = manyRecords(40, 2)
    await folder.export(scanOf(...records))
    const list = JSON.parse(readFileSync(join(folder.path, '_exports/crawl=c.json'), 'utf8'))
    assert.deepEqual([list.crawl, list.pages.length, list.pages[0].rows], ['c', 2, 20])
    assert.deepEqual([...list.pages, ...list.links].map(({ path }) => path).sort(), folder.files())
    async function* breaking() {
      yield* scanOf(...records)
      throw new Error('the crawl is gone')
    }
    await assert.rejects(folder.export(breaking(), { groupRows: 5, fileBytes: 100 }), /the crawl is gone/)
    assert.deepEqual(folder.files('.json'), [])
    assert.ok(!existsSync(join(folder.path, '_writing')), 'nothing half-written is left')
    for (const name of folder.files()) assert.ok((await folder.rows(name)).length > 0, 'every file is whole')
    await folder.export(scanOf(...records))
    assert.deepEqual(await folder.urls(), urlsOf(records))
  })

  it('clears what an export that was killed has left', async () => {
    using folder = new Folder()
    const left = join(folder.path, '_writing/crawl=c')
    mkdirSync(left, { recursive: true })
    writeFileSync(join(left, 'pages-2025-01-01-part-00000.parquet'), 'PAR1 half')
    const records = manyRecords(3, 1)
    await folder.export(scanOf(...records))
    assert.deepEqual(await folder.urls(), urlsOf(records))
    assert.ok(!existsSync(left))
  })

  it('of nothing is an empty list', async () => {
    using folder = new Folder()
    assert.deepEqual(await folder.export(scanOf()), { pages: 0, links: 0, files: 0, bytes: 0 })
    assert.deepEqual(JSON.parse(readFileSync(join(folder.path, '_exports/crawl=c.json'), 'utf8')).pages, [])
  })

  it('says where a folder cannot be written', async () => {
    using folder = new Folder()
    writeFileSync(join(folder.path, 'pages'), 'a file in the way')
    await assert.rejects(folder.export(scanOf(recordOf('https://e.com/'))), /pages/)
  })
})
