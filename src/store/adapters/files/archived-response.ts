import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { storageError } from '../../../embedded/storage-error.ts'
import { header } from '../../../fetch/outcome.ts'
import type { ArchivedResponse } from '../../archive.ts'
import type { WarcPlace } from '../../url-record.ts'
import { decodeBody } from '../../warc-body.ts'
import { memberStart, readMember } from '../../warc-gzip.ts'
import { type HttpResponse, parseHttpResponse } from '../../warc-http.ts'
import { type ParsedHead, type ParsedRecord, parseWarcHead, parseWarcRecord } from '../../warc-parse.ts'

const MAX_MEMBER_BYTES = 256 * 1024 * 1024
const HEAD_BYTES = 4096

/** Reads one response below the archive's root; needs no more than the files, so it can run beside a crawl. */
export async function readArchived(
  root: string,
  place: WarcPlace,
  maxBodyBytes: number,
): Promise<ArchivedResponse | undefined> {
  const record = await readRecord(root, place)
  const response = record && parseHttpResponse(record.block)
  if (!response) return undefined
  const withBody = record.type === 'revisit' ? await originalOf(root, record) : response
  if (!withBody) return undefined
  return {
    url: record.field('WARC-Target-URI') ?? '',
    fetchedAt: Date.parse(record.field('WARC-Date') ?? '') || 0,
    status: response.status,
    headers: response.headers,
    body: await decodeBody(withBody.rawBody, header(withBody.headers, 'content-encoding') ?? '', maxBodyBytes),
  }
}

/** The named fields of a record, from the first bytes of its member. `undefined`: unreadable, or far too long. */
export async function readRecordHead(root: string, place: WarcPlace): Promise<ParsedHead | undefined> {
  const bytes = await readBytes(root, { ...place, length: Math.min(place.length, HEAD_BYTES) })
  return bytes && parseWarcHead(memberStart(bytes))
}

/** Where a revisit record says that its body lies. Ours always point at a response, never at another revisit. */
export function referredPlace(revisit: Pick<ParsedHead, 'field'>): WarcPlace | undefined {
  const file = revisit.field('WARC-Refers-To-Filename')
  const offset = Number(revisit.field('WARC-Refers-To-File-Offset') ?? Number.NaN)
  const length = Number(revisit.field('WARC-Refers-To-File-Length') ?? Number.NaN)
  return file && Number.isSafeInteger(offset) && Number.isSafeInteger(length) ? { file, offset, length } : undefined
}

async function originalOf(root: string, revisit: ParsedRecord): Promise<HttpResponse | undefined> {
  const place = referredPlace(revisit)
  const original = place && (await readRecord(root, place))
  return original?.type === 'response' ? parseHttpResponse(original.block) : undefined
}

async function readRecord(root: string, place: WarcPlace): Promise<ParsedRecord | undefined> {
  const bytes = await readBytes(root, place)
  const read = bytes && readMember(bytes, MAX_MEMBER_BYTES)
  return read?.kind === 'member' ? parseWarcRecord(read.content) : undefined
}

async function readBytes(root: string, place: WarcPlace): Promise<Buffer | undefined> {
  const { file, offset, length } = place
  if (!staysBelow(file) || offset < 0 || length <= 0 || length > MAX_MEMBER_BYTES) return undefined
  const path = join(root, file)
  try {
    await using handle = await open(path, 'r')
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset)
    return bytesRead === length ? buffer : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw storageError(path, error)
  }
}

/** A file name may come out of a record that somebody forged. */
const staysBelow = (file: string): boolean =>
  file !== '' && !/^[/\\]|^[a-z]:|\0/i.test(file) && !file.split(/[/\\]/).includes('..')
