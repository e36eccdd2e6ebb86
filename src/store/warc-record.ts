import { hash } from 'node:crypto'
import type { KeptExchange } from './archive.ts'
import type { WarcPlace } from './url-record.ts'
import { oneLine, requestHead, responseHead } from './warc-http.ts'

/**
 * Exchange → WARC/1.1 records, each as the byte parts that make it up (the caller joins them into one gzip member).
 * The payload digest is that of the body as it was transferred, still in its content encoding and without chunking:
 * what ISO 28500 calls the entity body and what `warcio check` computes.
 */
export type RecordBytes = readonly Buffer[]

type Field = readonly [name: string, value: string | undefined]

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
const RECORD_END = Buffer.from('\r\n\r\n')
/** Our words for a cut body → those of the standard. */
const TRUNCATED = { bytes: 'length', time: 'time', length: 'disconnect' } as const

export function warcinfoRecord(
  filename: string,
  createdAt: number,
  id: string,
  about: Readonly<Record<string, string>>,
): RecordBytes {
  const facts = { ...about, format: 'WARC File Format 1.1', conformsTo: CONFORMS_TO }
  const lines = Object.entries(facts).map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}\r\n`)
  const block = Buffer.from(lines.join(''))
  return record(
    [
      ['WARC-Type', 'warcinfo'],
      ['WARC-Record-ID', urn(id)],
      ['WARC-Date', warcDate(createdAt)],
      ['WARC-Filename', filename],
      ['WARC-Block-Digest', sha256(block)],
      ['Content-Type', 'application/warc-fields'],
    ],
    [block],
  )
}

export function requestRecord(exchange: KeptExchange, ids: ExchangeIds): RecordBytes {
  const head = requestHead(exchange)
  return record(
    [
      ['WARC-Type', 'request'],
      ['WARC-Record-ID', urn(ids.request)],
      ...sharedFields(exchange, ids),
      ['WARC-Concurrent-To', urn(ids.response)],
      ['WARC-Block-Digest', sha256(head)],
      ['Content-Type', 'application/http; msgtype=request'],
    ],
    [head],
  )
}

export function responseRecord(exchange: KeptExchange, ids: ExchangeIds, payloadDigest: string): RecordBytes {
  const fields = responseFields(exchange, ids, payloadDigest, undefined)
  return record([['WARC-Type', 'response'], ...fields], [responseHead(exchange), exchange.rawBody])
}

/** Like a response, with its head but without its body: that of `original` has the same payload digest. */
export function revisitRecord(
  exchange: KeptExchange,
  ids: ExchangeIds,
  payloadDigest: string,
  original: OriginalResponse,
): RecordBytes {
  const head = responseHead(exchange)
  return record(
    [
      ['WARC-Type', 'revisit'],
      ['WARC-Profile', exchange.status === 304 ? NOT_MODIFIED_PROFILE : REVISIT_PROFILE],
      ['WARC-Refers-To', original.recordId],
      ['WARC-Refers-To-Target-URI', original.url],
      ['WARC-Refers-To-Date', original.date],
      ['WARC-Refers-To-Filename', original.place.file],
      ['WARC-Refers-To-File-Offset', String(original.place.offset)],
      ['WARC-Refers-To-File-Length', String(original.place.length)],
      ...responseFields(exchange, ids, payloadDigest, sha256(head)),
    ],
    [head],
  )
}

/** Of the last moment, for which each exchange asks three times. */
let lastDate = { at: Number.NaN, text: '' }

export function warcDate(at: number): string {
  if (lastDate.at !== at) lastDate = { at, text: new Date(at).toISOString() }
  return lastDate.text
}

/**
 * With a body there is no block digest: it would hash the body once more, which the payload digest has done and which the
 * checksum of the member covers together with the heads.
 */
function responseFields(
  exchange: KeptExchange,
  ids: ExchangeIds,
  payloadDigest: string,
  blockDigest: string | undefined,
): readonly Field[] {
  return [
    ['WARC-Record-ID', urn(ids.response)],
    ...sharedFields(exchange, ids),
    ['WARC-Concurrent-To', urn(ids.request)],
    ['WARC-Payload-Digest', payloadDigest],
    ['WARC-Block-Digest', blockDigest],
    ['WARC-Truncated', exchange.truncated ? TRUNCATED[exchange.truncated] : undefined],
    ['Content-Type', 'application/http; msgtype=response'],
  ]
}

const sharedFields = (exchange: KeptExchange, ids: ExchangeIds): readonly Field[] => [
  ['WARC-Date', warcDate(exchange.startedAt)],
  ['WARC-Target-URI', exchange.url],
  ['WARC-IP-Address', exchange.address || undefined],
  ['WARC-Protocol', exchange.protocol],
  ['WARC-Warcinfo-ID', urn(ids.warcinfo)],
]

function record(fields: readonly Field[], block: RecordBytes): RecordBytes {
  let head = 'WARC/1.1\r\n'
  for (const [name, value] of fields) if (value !== undefined) head += `${name}: ${oneLine(value)}\r\n`
  const blockBytes = block.reduce((sum, part) => sum + part.length, 0)
  return [Buffer.from(`${head}Content-Length: ${blockBytes}\r\n\r\n`), ...block, RECORD_END]
}

const sha256 = (bytes: Buffer): string => `sha256:${hash('sha256', bytes)}`

export const urn = (id: string): string => `<urn:uuid:${id}>`
