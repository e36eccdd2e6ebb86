import { hash } from 'node:crypto'
import type { KeptExchange } from './archive.ts'
import type { WarcPlace } from './url-record.ts'
import { headBytes, oneLine, requestHead, responseHead } from './warc-http.ts'

/**
 * Exchange → WARC/1.1 records, each as the byte parts that make it up (the caller joins them into one gzip member).
 * The payload digest is that of the body as it was transferred, still in its content encoding and without chunking:
 * what ISO 28500 calls the entity body and what `warcio check` computes.
 */
export type RecordBytes = readonly Buffer[]

/** The response that a revisit stands for; the place spares readers a search by URL and date. */
export interface OriginalResponse {
  readonly recordId: string
  readonly url: string
  /** Its WARC-Date, letter for letter. */
  readonly date: string
  readonly place: WarcPlace
}

/** What a revisit of a stored record needs to know about it. */
export interface Identical {
  readonly original: OriginalResponse
  readonly digest: string
}

export type IsPayload = (digest: string) => boolean

/** Whether a response of that digest has the payload of an exchange. A 304 has none of its own: its server says so. */
export function payloadOf({ status }: Pick<KeptExchange, 'status'>, digest: string): IsPayload {
  return (other) => status === 304 || other === digest
}

export interface ExchangeIds {
  readonly warcinfo: string
  readonly request: string
  readonly response: string
}

export const REVISIT_PROFILE = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest'
/** The server said itself that nothing has changed. */
export const NOT_MODIFIED_PROFILE = 'http://netpreserve.org/warc/1.1/revisit/server-not-modified'
const CONFORMS_TO = 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'
const RECORD_END = '\r\n\r\n'
const RECORD_END_BYTES = Buffer.from(RECORD_END)
/** Our words for a cut body → those of the standard. */
const TRUNCATED = { bytes: 'length', time: 'time', length: 'disconnect' } as const

export function warcinfoRecord(
  filename: string,
  createdAt: number,
  id: string,
  about: Readonly<Record<string, string>>,
): RecordBytes {
  const facts = { ...about, format: 'WARC File Format 1.1', conformsTo: CONFORMS_TO }
  const lines = Object.entries(facts).map(([name, value]) => field(oneLine(name), value))
  const block = Buffer.from(lines.join(''))
  const fields =
    `WARC-Type: warcinfo\r\nWARC-Record-ID: ${urn(id)}\r\nWARC-Date: ${warcDate(createdAt)}\r\n` +
    field('WARC-Filename', filename) +
    `WARC-Block-Digest: ${sha256(block)}\r\nContent-Type: application/warc-fields\r\n`
  return [Buffer.from(head(fields, block.length)), block, RECORD_END_BYTES]
}

export function requestRecord(exchange: KeptExchange, ids: ExchangeIds): RecordBytes {
  const http = requestHead(exchange)
  return record(
    `WARC-Type: request\r\nWARC-Record-ID: ${urn(ids.request)}\r\n${sharedFields(exchange, ids)}` +
      `WARC-Concurrent-To: ${urn(ids.response)}\r\nWARC-Block-Digest: ${sha256(headBytes(http))}\r\n` +
      'Content-Type: application/http; msgtype=request\r\n',
    http,
  )
}

/**
 * With a body there is no block digest: it would hash the body once more, which the payload digest has done and which the
 * checksum of the member covers together with the heads.
 */
export function responseRecord(exchange: KeptExchange, ids: ExchangeIds, payloadDigest: string): RecordBytes {
  return record(
    `WARC-Type: response\r\n${responseFields(exchange, ids, payloadDigest)}`,
    responseHead(exchange),
    exchange.rawBody,
  )
}

/** Like a response, with its head but without its body: that of `original` has the same payload digest. */
export function revisitRecord(
  exchange: KeptExchange,
  ids: ExchangeIds,
  payloadDigest: string,
  original: OriginalResponse,
): RecordBytes {
  const http = responseHead(exchange)
  return record(
    `WARC-Type: revisit\r\nWARC-Profile: ${exchange.status === 304 ? NOT_MODIFIED_PROFILE : REVISIT_PROFILE}\r\n` +
      field('WARC-Refers-To', original.recordId) +
      field('WARC-Refers-To-Target-URI', original.url) +
      field('WARC-Refers-To-Date', original.date) +
      field('WARC-Refers-To-Filename', original.place.file) +
      `WARC-Refers-To-File-Offset: ${original.place.offset}\r\n` +
      `WARC-Refers-To-File-Length: ${original.place.length}\r\n` +
      `WARC-Block-Digest: ${sha256(headBytes(http))}\r\n${responseFields(exchange, ids, payloadDigest)}`,
    http,
  )
}

/** Of the last moment, for which each exchange asks three times. */
let lastDate = { at: Number.NaN, text: '' }

export function warcDate(at: number): string {
  if (lastDate.at !== at) lastDate = { at, text: new Date(at).toISOString() }
  return lastDate.text
}

function responseFields(exchange: KeptExchange, ids: ExchangeIds, payloadDigest: string): string {
  const { truncated } = exchange
  return (
    `WARC-Record-ID: ${urn(ids.response)}\r\n${sharedFields(exchange, ids)}WARC-Concurrent-To: ${urn(ids.request)}\r\n` +
    field('WARC-Payload-Digest', payloadDigest) +
    (truncated ? `WARC-Truncated: ${TRUNCATED[truncated]}\r\n` : '') +
    'Content-Type: application/http; msgtype=response\r\n'
  )
}

function sharedFields({ url, startedAt, address, protocol }: KeptExchange, ids: ExchangeIds): string {
  return (
    `WARC-Date: ${warcDate(startedAt)}\r\n${field('WARC-Target-URI', url)}` +
    (address ? field('WARC-IP-Address', address) : '') +
    `WARC-Protocol: ${protocol}\r\nWARC-Warcinfo-ID: ${urn(ids.warcinfo)}\r\n`
  )
}

const field = (name: string, value: string): string => `${name}: ${oneLine(value)}\r\n`

const head = (fields: string, blockBytes: number): string =>
  `WARC/1.1\r\n${fields}Content-Length: ${blockBytes}\r\n\r\n`

/** Heads are ASCII but for rare ones: then all that stands before the body, or around none, is written at once. */
function record(fields: string, http: string, body?: Buffer): RecordBytes {
  const bodyBytes = body?.length ?? 0
  const text = head(fields, http.length + bodyBytes) + (body ? http : http + RECORD_END)
  const bytes = Buffer.from(text)
  if (bytes.length === text.length) return body ? [bytes, body, RECORD_END_BYTES] : [bytes]
  const httpBytes = headBytes(http)
  const headOnly = Buffer.from(head(fields, httpBytes.length + bodyBytes))
  return body ? [headOnly, httpBytes, body, RECORD_END_BYTES] : [headOnly, httpBytes, RECORD_END_BYTES]
}

const sha256 = (bytes: Buffer): string => `sha256:${hash('sha256', bytes)}`

export const urn = (id: string): string => `<urn:uuid:${id}>`
