import { header } from '../fetch/outcome.ts'
import type { ArchivedResponse } from './archive.ts'
import type { WarcPlace } from './url-record.ts'
import { decodeBody } from './warc-body.ts'
import { memberStart, readMember } from './warc-gzip.ts'
import { type HttpResponse, parseHttpResponse } from './warc-http.ts'
import { type ParsedHead, type ParsedRecord, parseWarcHead, parseWarcRecord } from './warc-parse.ts'
import type { OriginalResponse } from './warc-record.ts'

/** How an archive brings the bytes of a place, exactly so many. `undefined`: they are not there. */
export type ReadBytes = (place: WarcPlace) => Promise<Buffer | undefined>

const MAX_MEMBER_BYTES = 256 * 1024 * 1024
const HEAD_BYTES = 4096

/** Reads one response, following a revisit to its original. */
export async function readResponse(
  readBytes: ReadBytes,
  place: WarcPlace,
  maxBodyBytes: number,
): Promise<ArchivedResponse | undefined> {
  const record = await readRecord(readBytes, place)
  const response = record && parseHttpResponse(record.block)
  if (!response) return undefined
  const withBody = record.type === 'revisit' ? await bodyOf(readBytes, record) : response
  if (!withBody) return undefined
  return {
    url: record.field('WARC-Target-URI') ?? '',
    fetchedAt: Date.parse(record.field('WARC-Date') ?? '') || 0,
    status: response.status,
    headers: response.headers,
    rawBody: withBody.rawBody,
    body: await decodeBody(withBody.rawBody, header(withBody.headers, 'content-encoding') ?? '', maxBodyBytes),
  }
}

/** The named fields of a record, from the first bytes of its member. `undefined`: unreadable, or far too long. */
export async function readRecordHead(readBytes: ReadBytes, place: WarcPlace): Promise<ParsedHead | undefined> {
  const bytes = await checkedBytes(readBytes, { ...place, length: Math.min(place.length, HEAD_BYTES) })
  return bytes && parseWarcHead(memberStart(bytes))
}

/** What a revisit of the record at `place` refers to: that response, or the one that it is a revisit of itself. */
export function originalOf(head: Pick<ParsedHead, 'type' | 'field'>, place: WarcPlace): OriginalResponse | undefined {
  const isRevisit = head.type === 'revisit'
  const original = isRevisit ? referredPlace(head) : place
  const recordId = head.field(isRevisit ? 'WARC-Refers-To' : 'WARC-Record-ID')
  const url = head.field(isRevisit ? 'WARC-Refers-To-Target-URI' : 'WARC-Target-URI')
  const date = head.field(isRevisit ? 'WARC-Refers-To-Date' : 'WARC-Date')
  return original && recordId && url && date ? { place: original, recordId, url, date } : undefined
}

/** Where a revisit record says that its body lies. Ours always point at a response, never at another revisit. */
function referredPlace(revisit: Pick<ParsedHead, 'field'>): WarcPlace | undefined {
  const file = revisit.field('WARC-Refers-To-Filename')
  const offset = Number(revisit.field('WARC-Refers-To-File-Offset') ?? Number.NaN)
  const length = Number(revisit.field('WARC-Refers-To-File-Length') ?? Number.NaN)
  return file && Number.isSafeInteger(offset) && Number.isSafeInteger(length) ? { file, offset, length } : undefined
}

async function bodyOf(readBytes: ReadBytes, revisit: ParsedRecord): Promise<HttpResponse | undefined> {
  const place = referredPlace(revisit)
  const original = place && (await readRecord(readBytes, place))
  return original?.type === 'response' ? parseHttpResponse(original.block) : undefined
}

async function readRecord(readBytes: ReadBytes, place: WarcPlace): Promise<ParsedRecord | undefined> {
  const bytes = await checkedBytes(readBytes, place)
  const read = bytes && readMember(bytes, MAX_MEMBER_BYTES)
  return read?.kind === 'member' ? parseWarcRecord(read.content) : undefined
}

/** A place may come out of a record that somebody forged. */
async function checkedBytes(readBytes: ReadBytes, place: WarcPlace): Promise<Buffer | undefined> {
  const { offset, length } = place
  return offset < 0 || length <= 0 || length > MAX_MEMBER_BYTES ? undefined : readBytes(place)
}
