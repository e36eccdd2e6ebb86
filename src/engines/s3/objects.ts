import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import type { S3Connection } from './connect.ts'
import { faultOf } from './fault.ts'
import { patiently } from './patience.ts'

export interface ListedObject {
  readonly key: string
  readonly bytes: number
}

export interface ObjectHead {
  readonly bytes: number
  /** Changes with the content. */
  readonly etag: string
}

/** Keys sort by their bytes; these are the ones behind `after`, at most `limit`. */
export interface ListRange {
  readonly after?: string
  readonly limit?: number
}

/**
 * Objects below the prefix of a connection; keys are given and answered without it. Everything here may be repeated: it
 * is, while S3 is away, until patience ends.
 */
export interface ObjectStore {
  readonly connection: S3Connection
  /** Whole or not at all, in place of what was there. */
  put(key: string, body: Buffer): Promise<void>
  /** `undefined`: there is none. */
  head(key: string): Promise<ObjectHead | undefined>
  get(key: string): Promise<Buffer | undefined>
  /** `undefined`: there is none, or it does not reach so far. */
  getRange(key: string, offset: number, length: number): Promise<Buffer | undefined>
  /** From `offset` to the end, a piece at a time; empty when there is none, or when it ends before. */
  stream(key: string, offset?: number): AsyncIterable<Buffer>
  list(prefix: string, range?: ListRange): AsyncIterable<ListedObject>
  /** What is not there is removed already. */
  remove(key: string): Promise<void>
}

const STREAM_BYTES = 8 * 1024 * 1024

export function objectStore(connection: S3Connection): ObjectStore {
  const { client, bucket, prefix, patience } = connection
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key })

  async function head(key: string): Promise<ObjectHead | undefined> {
    const found = await ifThere(() => patiently(() => client.send(new HeadObjectCommand(at(key))), patience))
    return found && { bytes: found.ContentLength ?? 0, etag: found.ETag ?? '' }
  }

  /** The body is part of the attempt: a connection may break in its middle. */
  function read(key: string, Range?: string): Promise<Buffer | undefined> {
    const attempt = async () => {
      const answer = await client.send(new GetObjectCommand({ ...at(key), ...(Range ? { Range } : {}) }))
      const body = Buffer.from((await answer.Body?.transformToByteArray()) ?? [])
      if (body.length !== answer.ContentLength) throw new Error('The answer ended early')
      return body
    }
    return ifThere(() => patiently(attempt, patience))
  }

  async function getRange(key: string, offset: number, length: number): Promise<Buffer | undefined> {
    const bytes = await read(key, `bytes=${offset}-${offset + length - 1}`)
    return bytes?.length === length ? bytes : undefined
  }

  return {
    connection,
    head,
    getRange,
    get: (key) => read(key),
    async put(key, body) {
      await patiently(() => client.send(new PutObjectCommand({ ...at(key), Body: body })), patience)
    },
    async *stream(key, offset = 0) {
      for (let from = offset; ; from += STREAM_BYTES) {
        const bytes = await read(key, `bytes=${from}-${from + STREAM_BYTES - 1}`)
        if (bytes && bytes.length > 0) yield bytes
        if (!bytes || bytes.length < STREAM_BYTES) return
      }
    },
    async *list(under, { after, limit = Number.POSITIVE_INFINITY } = {}) {
      let left = limit
      let from = after === undefined ? undefined : prefix + after
      while (left > 0) {
        const asked = { Bucket: bucket, Prefix: prefix + under, StartAfter: from, MaxKeys: Math.min(left, 1000) }
        const answer = await patiently(() => client.send(new ListObjectsV2Command(asked)), patience)
        const objects = answer.Contents ?? []
        for (const { Key = '', Size = 0 } of objects) yield { key: Key.slice(prefix.length), bytes: Size }
        from = objects.at(-1)?.Key
        left -= objects.length
        if (!answer.IsTruncated || from === undefined) return
      }
    },
    async remove(key) {
      await ifThere(() => patiently(() => client.send(new DeleteObjectCommand(at(key))), patience))
    },
  }
}

export async function ifThere<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    const fault = faultOf(error)
    if (fault === 'missing' || fault === 'beyond') return undefined
    throw error
  }
}

/** `s3://bucket/some/prefix` as a person writes it → the settings that lead there. `undefined`: no such address. */
export function parseS3Url(url: string): { readonly bucket: string; readonly prefix: string } | undefined {
  const [, bucket, path = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(url) ?? []
  if (!bucket) return undefined
  return { bucket, prefix: path === '' || path.endsWith('/') ? path : `${path}/` }
}
