/** Where the deflate data begins inside its frame (RFC 1950, RFC 1952). Pure, and safe for any bytes. */

const hasHeaderSum = 2
const hasExtra = 4
const hasName = 8
const hasComment = 16

/** By `deflate` RFC 9110 means a zlib frame, many servers send none. Its two bytes are a multiple of 31. */
export function zlibDataAt(bytes: Buffer): number {
  const framed = bytes.length >= 2 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE() % 31 === 0
  return framed ? 2 : 0
}

/** Without a gzip frame: 0, where decoding will fail as it should. */
export function gzipDataAt(bytes: Buffer): number {
  if (bytes.length < 10 || bytes[0] !== 0x1f || bytes[1] !== 0x8b) return 0
  const flags = bytes[3]!
  let at = 10
  if (flags & hasExtra) at += 2 + (at + 2 <= bytes.length ? bytes.readUInt16LE(at) : 0)
  if (flags & hasName) at = afterZero(bytes, at)
  if (flags & hasComment) at = afterZero(bytes, at)
  if (flags & hasHeaderSum) at += 2
  return Math.min(at, bytes.length)
}

/** Check sum and length, which follow the data. */
export const gzipTrailerBytes = 8
const minGzipBytes = 10 + gzipTrailerBytes

/** The length with which a gzip frame ends; 0 for what is too short to be one. */
export function declaredBytes(bytes: Buffer): number {
  return bytes.length > minGzipBytes ? bytes.readUInt32LE(bytes.length - 4) : 0
}

function afterZero(bytes: Buffer, from: number): number {
  const zero = bytes.indexOf(0, from)
  return zero < 0 ? bytes.length : zero + 1
}
