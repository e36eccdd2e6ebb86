import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { storageError } from '../../embedded/storage-error.ts'
import { ParquetFile } from '../parquet-file.ts'
import type { PartStore } from './part-store.ts'
import type { Table } from './table.ts'

export interface PartLimits {
  readonly groupRows: number
  /** Of one row group, in memory. */
  readonly groupBytes: number
  /** Of the rows that wait, of all dates together. */
  readonly heldBytes: number
  /** A file that has reached this is closed, and the next one begun. */
  readonly fileBytes: number
  /** Of all files that are being written: beyond it the largest is closed. */
  readonly spoolBytes: number
}

const MIB = 1024 * 1024
export const DEFAULT_LIMITS: PartLimits = {
  groupRows: 100_000,
  groupBytes: 8 * MIB,
  heldBytes: 32 * MIB,
  fileBytes: 128 * MIB,
  spoolBytes: 4096 * MIB,
}

/** A file that was put into the store. */
export interface Part {
  readonly path: string
  readonly rows: number
  readonly bytes: number
}

/** A file that is being written, and the rows that wait for it. */
interface OpenPart<Row> {
  readonly path: string
  /** In the spool. */
  readonly local: string
  readonly file: ParquetFile<Row>
  waiting: Row[]
  waitingBytes: number
  rows: number
}

// Two thirds of the bytes of Snappy in a quarter of its time, and all three warehouses read it.
const compression = { codec: 'ZSTD', compressors: { ZSTD: zstdCompressSync } } as const

/**
 * The rows of one table, by date. Dates come mixed, since a record keeps its place when its page is fetched again, so
 * every date has a part open; what the rows of all of them take together is bounded.
 */
export class Partitions<Row> {
  readonly #table: Table<Row>
  /** `pages/crawl=x/` */
  readonly #folder: string
  readonly #store: PartStore
  readonly #limits: PartLimits
  readonly #open = new Map<string, OpenPart<Row>>()
  readonly #begun = new Map<string, number>()
  readonly #parts: Part[] = []
  #heldBytes = 0
  #spooledBytes = 0

  constructor(table: Table<Row>, crawl: string, store: PartStore, limits: PartLimits) {
    this.#table = table
    this.#folder = `${table.name}/crawl=${crawl}/`
    this.#store = store
    this.#limits = limits
  }

  async add(date: string, row: Row): Promise<void> {
    const part = this.#open.get(date) ?? this.#begin(date)
    const bytes = this.#table.bytes(row)
    part.waiting.push(row)
    part.waitingBytes += bytes
    this.#heldBytes += bytes
    const { groupRows, groupBytes, heldBytes } = this.#limits
    if (part.waiting.length >= groupRows || part.waitingBytes >= groupBytes) await this.#write(date, part)
    else if (this.#heldBytes >= heldBytes) await this.#write(...this.#most((one) => one.waitingBytes))
  }

  /** Closes what is open; answers every part. Parts of earlier exports that no part has replaced are removed. */
  async end(): Promise<readonly Part[]> {
    for (const [date, part] of this.#open) await this.#close(date, part)
    const current = new Set(this.#parts.map(({ path }) => path))
    for await (const path of this.#store.list(this.#folder))
      if (/\/part-\d+\.parquet$/.test(path) && !current.has(path)) await this.#store.remove(path)
    return this.#parts
  }

  #begin(date: string): OpenPart<Row> {
    const number = this.#begun.get(date) ?? 0
    this.#begun.set(date, number + 1)
    const name = `part-${String(number).padStart(5, '0')}.parquet`
    const part: OpenPart<Row> = {
      path: `${this.#folder}date=${date}/${name}`,
      local: join(this.#store.spool, `${this.#table.name}-${date}-${name}`),
      file: new ParquetFile(this.#table.name, this.#table.columns, compression),
      waiting: [],
      waitingBytes: 0,
      rows: 0,
    }
    this.#open.set(date, part)
    return part
  }

  #most(of: (part: OpenPart<Row>) => number): [date: string, part: OpenPart<Row>] {
    return [...this.#open].reduce((most, one) => (of(one[1]) > of(most[1]) ? one : most))
  }

  async #write(date: string, part: OpenPart<Row>): Promise<void> {
    await this.#writeGroup(part)
    if (part.file.length >= this.#limits.fileBytes) await this.#close(date, part)
    else if (this.#spooledBytes >= this.#limits.spoolBytes) await this.#close(...this.#most((one) => one.file.length))
  }

  async #writeGroup(part: OpenPart<Row>): Promise<void> {
    const rows = part.waiting
    if (rows.length === 0) return
    this.#heldBytes -= part.waitingBytes
    part.waiting = []
    part.waitingBytes = 0
    part.rows += rows.length
    const bytes = await part.file.rowGroup(rows)
    await append(part.local, bytes)
    this.#spooledBytes += bytes.length
  }

  async #close(date: string, part: OpenPart<Row>): Promise<void> {
    await this.#writeGroup(part)
    this.#open.delete(date)
    this.#spooledBytes -= part.file.length
    await append(part.local, await part.file.end())
    await this.#store.put(part.path, part.local)
    this.#parts.push({ path: part.path, rows: part.rows, bytes: part.file.length })
  }
}

// A file is not kept open: an export of a year has two for each day of it.
async function append(path: string, bytes: Buffer): Promise<void> {
  try {
    await appendFile(path, bytes)
  } catch (error) {
    throw storageError(path, error)
  }
}
