import { constants, gunzipSync } from 'node:zlib'

const IN_BYTES = 2048
/** A kilobyte inflates to one megabyte at most. */
const OUT_BYTES = 4 * 1024 * 1024

export function isGzip(body: Buffer): boolean {
  return body[0] === 0x1f && body[1] === 0x8b && body[2] === 0x08
}

/** The beginning of what a gzip file holds; empty if it holds nothing that can be read. */
export function gzipOpening(body: Buffer): Buffer {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: OUT_BYTES }
    return gunzipSync(body.subarray(0, IN_BYTES), options)
  } catch {
    return Buffer.alloc(0)
  }
}
