import { hash } from 'node:crypto'
import type { Exchange } from '../fetch/outcome.ts'

/** SHA-256 of a decoded body, hexadecimal: equal means the same bytes. Empty for an empty body, which is no content. */
export function contentHash(body: Uint8Array): string {
  return body.length === 0 ? '' : hash('sha256', body)
}

/** SHA-256 of a body as received. Where nothing was encoded, the content hash is already the answer. */
export function payloadHash({ body, rawBody }: Exchange, contentHash: string): string {
  return rawBody === body && contentHash !== '' ? contentHash : hash('sha256', rawBody)
}

/**
 * SHA-256 of a body as received, in place of the content hash where nothing but links is kept: a fifth of the bytes. Pages
 * that a server compresses alike are equal by it as they are by their content. Empty for an empty body.
 */
export function receivedHash({ body, rawBody }: Pick<Exchange, 'body' | 'rawBody'>): string {
  return body.length === 0 ? '' : hash('sha256', rawBody)
}
