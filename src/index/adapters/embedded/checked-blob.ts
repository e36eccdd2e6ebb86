import { crc32 } from 'node:zlib'
import { StorageError } from '../../../embedded/storage-error.ts'

/** Every blob of the index has a checksum beside it: what was read can be trusted from there on. */
export const checksum = (data: Uint8Array) => crc32(data)

export function checked(row: Record<string, unknown> | undefined, what: string): Uint8Array {
  const data = row?.data
  if (data instanceof Uint8Array && crc32(data) === row?.checksum) return data
  throw damaged(what)
}

export function damaged(what: string): StorageError {
  const message = `The search index is damaged (${what}). Restore the crawl's folder from a copy, or crawl anew into another one.`
  return new StorageError('corrupt', message, undefined)
}
