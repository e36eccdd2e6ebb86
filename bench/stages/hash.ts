import { createHash, hash } from 'node:crypto'
import xxhash from 'xxhash-wasm'
import { contentHash } from '../../src/dedup/content-hash.ts'
import type { Stage, Way } from './measure.ts'

const hashing = (name: string, digest: (rawBody: Buffer) => unknown): Way => ({
  name,
  open: () => ({ page: ({ exchange }) => digest(exchange.rawBody) }),
})

/** Of the body as it was sent. Only a cryptographic hash may say "the same page" of pages that strangers write. */
export const hashes: Stage = {
  name: 'hash',
  async ways() {
    const { h64Raw } = await xxhash()
    return [
      { name: 'ours', open: () => ({ page: ({ exchange }) => contentHash(exchange) }) },
      { name: 'SHA-256 of the decoded body', open: () => ({ page: ({ body }) => hash('sha256', body) }) },
      hashing('createHash SHA-256', (body) => createHash('sha256').update(body).digest('hex')),
      hashing('SHA-1', (body) => hash('sha1', body)),
      hashing('SHA-512/256', (body) => createHash('sha512-256').update(body).digest('hex')),
      hashing('BLAKE2s', (body) => hash('blake2s256', body)),
      hashing('BLAKE2b', (body) => hash('blake2b512', body)),
      hashing('xxHash64 (not cryptographic)', (body) => h64Raw(body)),
    ]
  },
}
