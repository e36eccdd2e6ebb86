import { createHash, hash } from 'node:crypto'
import { gzipDataAt } from '../fetch/http/deflate-frames.ts'
import type { Exchange } from '../fetch/outcome.ts'

type Body = Pick<Exchange, 'body' | 'rawBody'>

/**
 * SHA-256 of a body as it was sent, hexadecimal: equal means the same content. A server compresses the same page to the same
 * bytes, and they are a fifth of the page's; only what gzip tells of a file (when it was made, its name) differs from answer
 * to answer with many, and is passed over. Empty for an empty body, which is no content.
 */
export function contentHash({ body, rawBody }: Body): string {
  if (body.length === 0) return ''
  return isPlain(body, rawBody) ? hash('sha256', rawBody) : hashWithPlainHead(rawBody)
}

/** SHA-256 of a body as it was sent, to the letter. Mostly the content hash is already the answer. */
export function payloadHash({ body, rawBody }: Body, contentHash: string): string {
  return contentHash !== '' && isPlain(body, rawBody) ? contentHash : hash('sha256', rawBody)
}

/** `1f 8b`, the method, no flags and no time; what packed it, and where, is the same each time. */
const PLAIN_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])

/** Whether its bytes say nothing but their content. */
function isPlain(body: Buffer, rawBody: Buffer): boolean {
  if (body === rawBody || rawBody[0] !== PLAIN_HEAD[0] || rawBody[1] !== PLAIN_HEAD[1]) return true
  return rawBody.length < 10 || PLAIN_HEAD.equals(rawBody.subarray(0, PLAIN_HEAD.length))
}

function hashWithPlainHead(gzip: Buffer): string {
  const sum = createHash('sha256').update(PLAIN_HEAD).update(gzip.subarray(PLAIN_HEAD.length, 10))
  return sum.update(gzip.subarray(gzipDataAt(gzip))).digest('hex')
}
