import { readFileSync } from 'node:fs'
import type { Database } from '../../../embedded/database.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { type PackedRecord, pack, unpack } from '../../packed-record.ts'
import type { RecordStore } from '../../record-store.ts'
import type { FreshRecord, VisitEntry } from '../../url-record.ts'
import { embeddedDueVisits } from './due-visits.ts'
import { embeddedVisits } from './visits.ts'

const SCHEMA = readFileSync(new URL('./schema.sql', import.meta.url), 'utf8')
const SCAN_ROWS = 64

/** Records in the crawl's own database; safe from a crash with the group of writes they are part of. */
export interface EmbeddedRecords extends RecordStore {
  /** Records whose exchange begins at or beyond an offset of an archive file: what a torn archive has lost. */
  placedFrom(file: string, offset: number): Iterable<CanonicalUrl>
  /** All URLs with this content, in no order. */
  withContent(contentHash: string): Iterable<CanonicalUrl>
  /** Drops the record of a URL, as if no visit had brought an answer; the visits are remembered. */
  forget(url: CanonicalUrl): void
}

/** `fingerprint` answers a safe integer for a text; those of two URLs may be equal. */
export function embeddedRecords(database: Database, fingerprint: (text: string) => number): EmbeddedRecords {
  database.define(SCHEMA)
  const visits = embeddedVisits(database)
  const dueVisits = embeddedDueVisits(database)
  const files = new Map<string, number>()

  const find = database.prepare(
    'SELECT id, packed IS NOT NULL AS stored FROM record WHERE fingerprint = ? AND url = ? LIMIT 1',
  )
  const read = database.prepare('SELECT packed FROM record WHERE fingerprint = ? AND url = ? LIMIT 1')
  const insert = database.prepare(
    `INSERT INTO record (fingerprint, url, content_hash, content_key, warc_file, warc_offset, packed)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const replace = database.prepare(
    'UPDATE record SET content_hash = ?, content_key = ?, warc_file = ?, warc_offset = ?, packed = ? WHERE id = ?',
  )
  const remove = database.prepare('DELETE FROM record WHERE id = ?')
  const rowsAfter = database.prepare(
    'SELECT id, packed FROM record WHERE id > ? AND packed IS NOT NULL ORDER BY id LIMIT ?',
  )
  const firstWithContent = database.prepare(
    'SELECT url FROM record WHERE content_key = ? AND content_hash = ? ORDER BY id LIMIT 1',
  )
  const allWithContent = database.prepare('SELECT url FROM record WHERE content_key = ? AND content_hash = ?')
  const fileNamed = database.prepare('SELECT id FROM warc_file WHERE name = ?')
  const addFile = database.prepare('INSERT INTO warc_file (name) VALUES (?)')
  const placed = database.prepare('SELECT url FROM record WHERE warc_file = ? AND warc_offset >= ? ORDER BY id')

  function lookup(url: CanonicalUrl) {
    return find.get(fingerprint(url), url) as { id: number; stored: 0 | 1 } | undefined
  }

  function insertRow(url: CanonicalUrl, record: FreshRecord | undefined): number {
    const id = Number(insert.run(fingerprint(url), url, ...columnsOf(record)).lastInsertRowid)
    if (record?.next) dueVisits.plan(id, record.next.dueAt)
    return id
  }

  function replaceRow(id: number, record: FreshRecord | undefined): void {
    replace.run(...columnsOf(record), id)
    dueVisits.plan(id, record?.next?.dueAt ?? null)
  }

  function columnsOf(record: FreshRecord | undefined) {
    if (!record) return [null, null, null, null, null] as const
    const hash = record.contentHash
    const isFound = record.kind === 'page' && hash !== ''
    const key = isFound ? ([hash, contentKey(hash)] as const) : ([null, null] as const)
    return [...key, record.warc && fileId(record.warc.file), record.warc?.offset ?? null, pack(record)] as const
  }

  function fileId(name: string): number {
    let id = files.get(name) ?? (fileNamed.get(name)?.id as number | undefined)
    id ??= Number(addFile.run(name).lastInsertRowid)
    files.set(name, id)
    return id
  }

  /** A URL that had only failed moves to the end of the rows, since `scan` goes by the first storing. */
  function storeFirst(id: number, url: CanonicalUrl, record: FreshRecord): void {
    remove.run(id)
    visits.move(id, insertRow(url, record))
  }

  return {
    async put(url, visit, record) {
      database.write()
      const known = lookup(url)
      const id = known?.id ?? insertRow(url, record)
      if (!visits.add(id, visit) || !known || !visits.keepLatest(id, visit.at) || !record) return
      if (known.stored) replaceRow(id, record)
      else storeFirst(id, url, record)
    },
    async get(url) {
      const packed = read.get(fingerprint(url), url)?.packed as PackedRecord | null | undefined
      return packed ? unpack(packed) : undefined
    },
    async visits(url): Promise<readonly VisitEntry[]> {
      const known = lookup(url)
      return known ? visits.of(known.id) : []
    },
    async *scan() {
      for (let last = 0; ; ) {
        const rows = rowsAfter.all(last, SCAN_ROWS) as { id: number; packed: PackedRecord }[]
        for (const row of rows) yield unpack(row.packed)
        if (rows.length < SCAN_ROWS) return
        last = rows.at(-1)!.id
      }
    },
    async findByContent(contentHash) {
      if (contentHash === '') return undefined
      return firstWithContent.get(contentKey(contentHash), contentHash)?.url as CanonicalUrl | undefined
    },
    due: async (by, limit) => dueVisits.first(by, limit),
    async putOff(visits, until) {
      database.write()
      for (const { url, dueAt } of visits) {
        const known = lookup(url)
        if (known) dueVisits.putOff(known.id, dueAt, until)
      }
    },
    outlook: async (now) => dueVisits.outlook(now),
    placedFrom(file, offset) {
      const id = fileNamed.get(file)?.id
      return id === undefined ? [] : placed.all(id, offset).map((row) => row.url as CanonicalUrl)
    },
    withContent(contentHash) {
      if (contentHash === '') return []
      return allWithContent.all(contentKey(contentHash), contentHash).map((row) => row.url as CanonicalUrl)
    },
    forget(url) {
      const known = lookup(url)
      if (!known) return
      database.write()
      replaceRow(known.id, undefined)
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** The first 48 bits: enough to find a content by, and a number that every engine keeps exactly. */
function contentKey(contentHash: string): number {
  return Number.parseInt(contentHash.slice(0, 12), 16)
}
