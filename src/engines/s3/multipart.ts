import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { gate } from '../../gate.ts'
import type { S3Connection } from './connect.ts'
import { faultOf } from './fault.ts'
import { patiently, S3Error } from './patience.ts'

/** S3 refuses shorter parts, except as the last one. */
export const MIN_PART_BYTES = 5 * 1024 * 1024

export type Part =
  /** Brought only when its turn comes. `undefined`: the bytes are gone. */
  | { readonly kind: 'bytes'; read(): Promise<Buffer | undefined> }
  /** Copied inside S3. */
  | { readonly kind: 'copy'; readonly key: string; readonly offset: number; readonly length: number }

/** What must still be there when the object appears: nothing, the content with this etag, or whatever it may be. */
export type Replaces = { readonly etag: string } | 'nothing' | 'anything'

/** `contested`: somebody has written the object, or removed what it is made of, meanwhile; nothing was changed. */
export type Published = 'published' | 'contested'

export interface Upload {
  readonly key: string
  readonly id: string
}

const PARTS_AT_ONCE = 4

/**
 * Makes one object of parts. It appears whole, in one instant, or not at all; a worker that dies before leaves an upload
 * that nobody sees, and that whoever reaps must abort.
 */
export async function publish(
  connection: S3Connection,
  key: string,
  parts: readonly Part[],
  replaces: Replaces,
): Promise<Published> {
  const upload = await beginUpload(connection, key)
  try {
    await completeUpload(connection, upload, await bringParts(connection, upload, parts), replaces)
    return 'published'
  } catch (error) {
    const fault = faultOf(error)
    if (fault !== 'contested' && fault !== 'missing') throw error
    await abortUpload(connection, upload)
    return 'contested'
  }
}

/** One object of all that comes, with no more than a part of it in memory. Answers how many bytes it has. */
export async function putStream(
  connection: S3Connection,
  key: string,
  source: AsyncIterable<Uint8Array>,
  partBytes = 2 * MIN_PART_BYTES,
): Promise<number> {
  const upload = await beginUpload(connection, key)
  const etags: string[] = []
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let bytes = 0
  const send = async () => {
    const body = Buffer.concat(waiting, waitingBytes)
    etags.push(await uploadPart(connection, upload, etags.length + 1, body))
    waiting = []
    waitingBytes = 0
  }
  try {
    for await (const piece of source) {
      waiting.push(piece)
      waitingBytes += piece.length
      bytes += piece.length
      if (waitingBytes >= partBytes) await send()
    }
    if (waitingBytes > 0 || etags.length === 0) await send()
    await completeUpload(connection, upload, etags, 'anything')
    return bytes
  } catch (error) {
    // Without S3 there is nothing to abort with.
    if (!(error instanceof S3Error)) await abortUpload(connection, upload)
    throw error
  }
}

/** Uploads that were begun below `under`, and neither completed nor aborted. */
export async function* unfinishedUploads(connection: S3Connection, under: string): AsyncGenerator<Upload> {
  const { client, bucket, prefix, patience } = connection
  let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {}
  for (;;) {
    const asked = { Bucket: bucket, Prefix: prefix + under, ...marker }
    const answer = await patiently(() => client.send(new ListMultipartUploadsCommand(asked)), patience)
    for (const { Key = '', UploadId = '' } of answer.Uploads ?? [])
      yield { key: Key.slice(prefix.length), id: UploadId }
    if (!answer.IsTruncated || !answer.NextKeyMarker) return
    marker = { KeyMarker: answer.NextKeyMarker, UploadIdMarker: answer.NextUploadIdMarker }
  }
}

/** What has ended meanwhile is aborted already. */
export async function abortUpload(connection: S3Connection, upload: Upload): Promise<void> {
  const { client, patience } = connection
  try {
    await patiently(() => client.send(new AbortMultipartUploadCommand(addressed(connection, upload))), patience)
  } catch (error) {
    if (faultOf(error) !== 'contested') throw error
  }
}

async function beginUpload(connection: S3Connection, key: string): Promise<Upload> {
  const { client, bucket, prefix, patience } = connection
  const asked = { Bucket: bucket, Key: prefix + key }
  const answer = await patiently(() => client.send(new CreateMultipartUploadCommand(asked)), patience)
  return { key, id: answer.UploadId ?? '' }
}

/** Ends only when no request is under way any more: a part that arrives after an abort would stay for ever. */
async function bringParts(connection: S3Connection, upload: Upload, parts: readonly Part[]): Promise<string[]> {
  const atOnce = gate(PARTS_AT_ONCE)
  const bringing = parts.map((part, i) => atOnce.through(() => bringPart(connection, upload, i + 1, part)))
  await Promise.allSettled(bringing)
  return Promise.all(bringing)
}

async function bringPart(connection: S3Connection, upload: Upload, number: number, part: Part): Promise<string> {
  if (part.kind === 'copy') return copyPart(connection, upload, number, part)
  const bytes = await part.read()
  if (!bytes) throw new BytesGone(`${upload.key}: the bytes of part ${number} are gone.`)
  return uploadPart(connection, upload, number, bytes)
}

/** Reads as the answer of S3 to a copy whose source is gone. */
class BytesGone extends Error {
  override readonly name = 'NoSuchKey'
}

async function uploadPart(connection: S3Connection, upload: Upload, number: number, body: Buffer): Promise<string> {
  const { client, patience } = connection
  const asked = { ...addressed(connection, upload), PartNumber: number, Body: body }
  return (await patiently(() => client.send(new UploadPartCommand(asked)), patience)).ETag ?? ''
}

async function copyPart(
  connection: S3Connection,
  upload: Upload,
  number: number,
  { key, offset, length }: Extract<Part, { kind: 'copy' }>,
): Promise<string> {
  const { client, bucket, prefix, patience } = connection
  const asked = {
    ...addressed(connection, upload),
    PartNumber: number,
    CopySource: `${bucket}/${encodeURIComponent(prefix + key)}`,
    CopySourceRange: `bytes=${offset}-${offset + length - 1}`,
  }
  const answer = await patiently(() => client.send(new UploadPartCopyCommand(asked)), patience)
  return answer.CopyPartResult?.ETag ?? ''
}

async function completeUpload(
  connection: S3Connection,
  upload: Upload,
  etags: readonly string[],
  replaces: Replaces,
): Promise<void> {
  const { client, patience } = connection
  const Parts = etags.map((ETag, i) => ({ ETag, PartNumber: i + 1 }))
  const asked = { ...addressed(connection, upload), MultipartUpload: { Parts }, ...condition(replaces) }
  await patiently(() => client.send(new CompleteMultipartUploadCommand(asked)), patience)
}

function condition(replaces: Replaces): { IfNoneMatch?: '*'; IfMatch?: string } {
  if (replaces === 'anything') return {}
  return replaces === 'nothing' ? { IfNoneMatch: '*' } : { IfMatch: replaces.etag }
}

const addressed = ({ bucket, prefix }: S3Connection, { key, id }: Upload) => ({
  Bucket: bucket,
  Key: prefix + key,
  UploadId: id,
})
