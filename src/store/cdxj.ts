import { header } from '../fetch/outcome.ts'
import { surtKey } from './cdxj-surt.ts'
import { parseHttpResponse } from './warc-http.ts'
import type { ParsedRecord } from './warc-parse.ts'

/** One line of a CDXJ index: what replay tools need to find a response without reading the archive. */
export interface CdxEntry {
  readonly url: string
  /** The WARC-Date of the record. */
  readonly date: string
  readonly mime: string
  readonly status: number
  readonly digest: string
  readonly length: number
  readonly offset: number
  /** Without its folder: the index lies beside it. */
  readonly filename: string
}

export const REVISIT_MIME = 'warc/revisit'

/** `key timestamp {json}`, without line break. Numbers are strings there, as pywb and cdxj-indexer write them. */
export function cdxjLine(entry: CdxEntry): string {
  const { url, mime, status, digest, length, offset, filename } = entry
  const facts = { url, mime, status: `${status}`, digest, length: `${length}`, offset: `${offset}`, filename }
  return `${surtKey(url)} ${timestamp14(entry.date)} ${JSON.stringify(facts)}`
}

/** `undefined`: a record that no index lists, such as a request. */
export function cdxEntryOf(
  record: ParsedRecord,
  place: { readonly filename: string; readonly offset: number; readonly length: number },
): CdxEntry | undefined {
  if (record.type !== 'response' && record.type !== 'revisit') return undefined
  const response = parseHttpResponse(record.block)
  const url = record.field('WARC-Target-URI')
  if (!response || !url) return undefined
  return {
    ...place,
    url,
    date: record.field('WARC-Date') ?? '',
    mime: record.type === 'revisit' ? REVISIT_MIME : mimeOf(header(response.headers, 'content-type')),
    status: response.status,
    digest: record.field('WARC-Payload-Digest') ?? '-',
  }
}

export const mimeOf = (contentType: string | undefined): string =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() || 'unk'

const timestamp14 = (date: string): string => date.replace(/\D/g, '').padEnd(14, '0').slice(0, 14)
