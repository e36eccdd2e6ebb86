import type { Database } from '../../../embedded/database.ts'
import { checked, checksum } from './checked-blob.ts'

export interface Segment {
  readonly id: number
  readonly level: number
  /** Ids of its first and last document. */
  readonly first: number
  readonly last: number
  readonly documents: number
  readonly removed: number
  /** Of all documents, each as often as it stands there. */
  readonly words: number
  readonly parts: number
}

/** The documents of a segment, by ordinal. */
export interface SegmentDocuments {
  /** Less the `first` of the segment. */
  readonly ids: Uint32Array
  /** In words. */
  readonly lengths: Uint32Array
}

const COLUMNS = 'id, level, first, last, documents, removed, words, parts'

/** The oldest first: no document of one comes before any of the one before it. */
export function liveSegments(database: Database): Segment[] {
  const sql = `SELECT ${COLUMNS} FROM word_segment WHERE state = 'live' ORDER BY first`
  return database.prepare(sql).all() as unknown as Segment[]
}

export function addSegment(database: Database, segment: Segment, documents: SegmentDocuments): void {
  const { id, level, first, last, removed, words, parts } = segment
  database
    .prepare(`INSERT OR REPLACE INTO word_segment (state, ${COLUMNS}) VALUES ('live', ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(id, level, first, last, segment.documents, removed, words, parts)
  const data = new Uint32Array([...documents.ids, ...documents.lengths])
  const bytes = new Uint8Array(data.buffer)
  database.prepare('INSERT INTO word_segment_documents VALUES (?, ?, ?)').run(id, checksum(bytes), bytes)
}

export function documentsOf(database: Database, { id, documents }: Segment): SegmentDocuments {
  const row = database.prepare('SELECT checksum, data FROM word_segment_documents WHERE id = ?').get(id)
  const bytes = checked(row, `the documents of segment ${id}`)
  const data = new Uint32Array(bytes.slice().buffer)
  return { ids: data.subarray(0, documents), lengths: data.subarray(documents) }
}

export function nextSegmentId(database: Database): number {
  return Number(database.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM word_segment').get()!.id)
}

/** Of documents that were put, those that are there still, in order. */
export function* liveIds(database: Database, first: number, last: number): Generator<number> {
  const sql = `SELECT id FROM document WHERE id > ? AND id <= ${last} ORDER BY id LIMIT ?`
  for (const [id] of database.scan(sql, first - 1)) yield id as number
}
