import { allOf, byteAt, DASH, firstBits, QUESTION, SLASH } from './bytes'
import {
  ABSOLUTE, FROM_FOLDER, FROM_ORIGIN, FROM_PATH, FROM_QUERY, FROM_SCHEME, HIGH_HALVES, NOT_PLAIN, PLAIN_LOW_HALVES,
} from './tables'

/** The twin of `reference-shape.ts`. */
export function shapeOf(from: usize, to: usize): i32 {
  if (from == to) return FROM_QUERY
  const first = byteAt(from)
  if (first == SLASH) {
    const isHost = to - from > 1 && byteAt(from + 1) == SLASH
    const pathAt = isHost ? plainHostEnd(from + 2, to) : from
    if (pathAt == 0 || !isPlainPath(pathAt, to)) return NOT_PLAIN
    return isHost ? FROM_SCHEME : FROM_ORIGIN
  }
  const hostAt = webSchemeEnd(from, to)
  if (hostAt != 0) {
    const pathAt = plainHostEnd(hostAt, to)
    return pathAt != 0 && isPlainPath(pathAt, to) ? ABSOLUTE : NOT_PLAIN
  }
  if (first == HASH || first == QUESTION) {
    if (!isPlainPath(from, to)) return NOT_PLAIN
    return first == HASH ? FROM_QUERY : FROM_PATH
  }
  return isPlainRelative(from, to) ? FROM_FOLDER : NOT_PLAIN
}

const HASH: u32 = 0x23
const DOT: u32 = 0x2e
const COLON: u32 = 0x3a
const PERCENT: u32 = 0x25

function isPlainPath(from: usize, to: usize): bool {
  let slashBefore = 0
  for (let at = from; at < to; at += 16) {
    const bytes = v128.load(at)
    const slashes = i8x16.bitmask(i8x16.eq(bytes, allOf(0x2f)))
    const dots = i8x16.bitmask(v128.or(i8x16.eq(bytes, allOf(0x2e)), i8x16.eq(bytes, allOf(0x25))))
    const trouble = (arePlain(bytes) ^ 0xffff) | (((slashes << 1) | slashBefore) & dots)
    if ((trouble & firstBits(to - at)) != 0) return false
    slashBefore = slashes >> 15
  }
  return true
}

/** A bit for each byte that is plain: one bit in the two tables stands for each upper half of such bytes. */
@inline function arePlain(bytes: v128): i32 {
  const low = v128.and(bytes, allOf(0x0f))
  const high = v128.and(i16x8.shr_u(bytes, 4), allOf(0x0f))
  const plain = v128.and(i8x16.swizzle(v128.load(PLAIN_LOW_HALVES), low), i8x16.swizzle(v128.load(HIGH_HALVES), high))
  return i8x16.bitmask(i8x16.ne(plain, allOf(0)))
}

/** `http` or `https` with `://`: the place behind, or 0. */
function webSchemeEnd(from: usize, to: usize): usize {
  if (to - from < 8 || load<u32>(from) != 0x70747468) return 0
  const colon = byteAt(from + 4) == 0x73 ? from + 5 : from + 4
  return byteAt(colon) == COLON && load<u16>(colon + 1) == 0x2f2f ? colon + 3 : 0
}

/** The slash behind a host that is already in its normal form, or 0. */
function plainHostEnd(from: usize, to: usize): usize {
  let labelAt = from
  for (let at = from; at < to; at++) {
    const byte = byteAt(at)
    if (byte - 0x61 < 26 || byte - 0x30 < 10) continue
    if (byte == SLASH) return at > labelAt && byteAt(labelAt) - 0x30 >= 10 ? at : 0
    if (byte == DOT) {
      if (at == labelAt) return 0
      labelAt = at + 1
    } else if (byte != DASH || byteAt(at - 1) == DASH) return 0
  }
  return 0
}

function isPlainRelative(from: usize, to: usize): bool {
  const first = byteAt(from)
  if (first == DOT || first == PERCENT || !isPlainPath(from, to)) return false
  for (let at = from; at < to; at++) {
    const byte = byteAt(at)
    if (byte == COLON) return false
    if (byte == SLASH || byte == QUESTION || byte == HASH) return true
  }
  return true
}
