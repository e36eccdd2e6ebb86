import { hash } from 'node:crypto'

/** SHA-256 of a decoded body, hexadecimal: equal means the same bytes. Empty for an empty body, which is no content. */
export function contentHash(body: Uint8Array): string {
  return body.length === 0 ? '' : hash('sha256', body)
}
