import { byteClasses, PLAIN_IN_URL } from './byte-classes.ts'

/**
 * What to put in front of a reference to make it absolute. Most references on the web are plain (`/path?query`,
 * `https://host/path`), and joining them gives exactly what the platform's URL parser would.
 */
export type Shape = number

/** The URL parser must decide. */
export const NOT_PLAIN = 0
export const ABSOLUTE = 1
export const FROM_SCHEME = 2
export const FROM_ORIGIN = 3
/** The base up to and with the last slash of its path. */
export const FROM_FOLDER = 4
/** The base up to the end of its path. */
export const FROM_PATH = 5
export const FROM_QUERY = 6

/** Of a reference without white space around it. */
export function shapeOf(bytes: Buffer, from: number, to: number): Shape {
  if (from === to) return FROM_QUERY
  const first = bytes[from]!
  if (first === SLASH) {
    const isHost = to - from > 1 && bytes[from + 1] === SLASH
    const pathAt = isHost ? plainHostEnd(bytes, from + 2, to) : from
    if (pathAt < 0 || !isPlainPath(bytes, pathAt, to)) return NOT_PLAIN
    return isHost ? FROM_SCHEME : FROM_ORIGIN
  }
  const hostAt = webSchemeEnd(bytes, from, to)
  if (hostAt > 0) {
    const pathAt = plainHostEnd(bytes, hostAt, to)
    return pathAt > 0 && isPlainPath(bytes, pathAt, to) ? ABSOLUTE : NOT_PLAIN
  }
  if (first === HASH || first === QUESTION) {
    if (!isPlainPath(bytes, from, to)) return NOT_PLAIN
    return first === HASH ? FROM_QUERY : FROM_PATH
  }
  return isPlainRelative(bytes, from, to) ? FROM_FOLDER : NOT_PLAIN
}

const SLASH = 0x2f
const HASH = 0x23
const QUESTION = 0x3f
const DOT = 0x2e
const COLON = 0x3a
const PERCENT = 0x25

/** A dot or percent sign behind a slash may be a dot segment, which the parser takes away. */
function isPlainPath(bytes: Buffer, from: number, to: number): boolean {
  let previous = 0
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    if ((byteClasses[byte]! & PLAIN_IN_URL) === 0) return false
    if (previous === SLASH && (byte === DOT || byte === PERCENT)) return false
    previous = byte
  }
  return true
}

/** `http://` or `https://` in lower case: the place behind it, else -1. */
export function webSchemeEnd(bytes: Buffer, from: number, to: number): number {
  if (to - from < 8 || bytes[from] !== 0x68 || bytes[from + 1] !== 0x74) return -1
  if (bytes[from + 2] !== 0x74 || bytes[from + 3] !== 0x70) return -1
  const colon = bytes[from + 4] === 0x73 ? from + 5 : from + 4
  return bytes[colon] === COLON && bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH ? colon + 3 : -1
}

/** The slash behind a host that is already in its normal form, or -1. */
function plainHostEnd(bytes: Buffer, from: number, to: number): number {
  let labelAt = from
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    if (byte === SLASH) {
      // A last label that begins with a digit may be an address; `xn--` has rules of its own.
      const first = bytes[labelAt]!
      return i > labelAt && (first < 0x30 || first > 0x39) ? i : -1
    }
    if (byte === DOT) {
      if (i === labelAt) return -1
      labelAt = i + 1
    } else if (byte === 0x2d) {
      if (bytes[i - 1] === 0x2d) return -1
    } else if (!((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39))) return -1
  }
  return -1
}

/** A relative path whose first segment holds no colon (else it might be a scheme) and begins with no dot. */
function isPlainRelative(bytes: Buffer, from: number, to: number): boolean {
  if (bytes[from] === DOT || bytes[from] === PERCENT || !isPlainPath(bytes, from, to)) return false
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    if (byte === COLON) return false
    if (byte === SLASH || byte === QUESTION || byte === HASH) return true
  }
  return true
}
