import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { UrlRecord } from '../../url-record.ts'

/** Below this a frame costs more than it saves. */
const WORTH_COMPRESSING = 512

// The window holds the usual record whole; a larger one only makes each call prepare more memory.
const FAST = {
  chunkSize: 16 * 1024,
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 17 },
}

/** Text as it is, bytes compressed. */
export type PackedRecord = string | Uint8Array

/** One JSON for the whole record: text and links share one compression, which costs more than the JSON does. */
export function pack(record: UrlRecord): PackedRecord {
  const json = JSON.stringify(record)
  if (json.length < WORTH_COMPRESSING) return json
  const bytes = Buffer.from(json)
  const packed = zstdCompressSync(bytes, FAST)
  return packed.length < bytes.length ? packed : json
}

export function unpack(packed: PackedRecord): UrlRecord {
  return JSON.parse(typeof packed === 'string' ? packed : zstdDecompressSync(packed).toString())
}
