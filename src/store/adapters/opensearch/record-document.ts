import { hash } from 'node:crypto'
import { type CanonicalUrl, hostOf } from '../../../url/keys.ts'
import { type PackedRecord, pack, unpack } from '../../packed-record.ts'
import type { DueVisit } from '../../record-store.ts'
import type { FreshRecord, UrlRecord, VisitEntry } from '../../url-record.ts'

/** A visit as the engine keeps it: without names, since a URL may have hundreds. */
export type PackedVisit = readonly [
  at: number,
  kind: VisitEntry['kind'],
  status: number | null,
  durationMs: number,
  bytes: number,
  detail: string,
]

/** What a visit that brought an answer replaces. */
export interface RecordFields {
  readonly host: string
  readonly kind: VisitEntry['kind']
  readonly status: number | null
  readonly lang: string
  readonly contentHash: string | null
  readonly fetchedAt: number
  readonly packed: string
  /** `null`: it is not to be visited again. */
  readonly due: DueFields | null
}

/** The next visit, with what the frontier must know of the URL. */
export interface DueFields extends Pick<DueVisit, 'depth' | 'parent' | 'band'> {
  readonly at: number
}

/** A URL's document; all but the visits is absent until a visit has brought an answer. */
export interface RecordDocument extends Partial<RecordFields> {
  readonly url: CanonicalUrl
  readonly visits: readonly PackedVisit[]
  /** The visit that the record is of. */
  readonly recordAt?: number
  readonly stored?: number
  readonly key?: number
}

/** Who had a content first. */
export interface ContentDocument {
  readonly owner: CanonicalUrl
}

export const recordId = (url: CanonicalUrl) => `u${hash('sha256', url, 'base64url').slice(0, 22)}`
export const contentId = (contentHash: string) => `c${contentHash}`

/** 48 bits of a document's id. */
export const keyOf = (id: string) => Buffer.from(id.slice(1, 9), 'base64url').readUIntBE(0, 6)

export function recordFields(record: FreshRecord): RecordFields {
  const { kind, status, lang, fetchedAt } = record
  const isFound = kind === 'page' && record.contentHash !== ''
  const contentHash = isFound ? record.contentHash : null
  const host = hostOf(record.url)
  return { host, kind, status, lang, contentHash, fetchedAt, packed: asText(pack(record)), due: dueFields(record) }
}

function dueFields({ next, depth, parent }: FreshRecord): DueFields | null {
  return next && next.dueAt !== null ? { at: next.dueAt, band: next.band, depth, parent } : null
}

/** JSON begins with a brace, which base64 does not have. */
const asText = (packed: PackedRecord) =>
  typeof packed === 'string' ? packed : Buffer.from(packed.buffer, packed.byteOffset, packed.length).toString('base64')

export function unpackedRecord(text: string): UrlRecord {
  return unpack(text.startsWith('{') ? text : Buffer.from(text, 'base64'))
}

export function packedVisit({ at, kind, status, durationMs, bytes, detail }: VisitEntry): PackedVisit {
  return [at, kind, status, durationMs, bytes, detail]
}

export function unpackedVisit([at, kind, status, durationMs, bytes, detail]: PackedVisit): VisitEntry {
  return { at, kind, status, durationMs, bytes, detail }
}
