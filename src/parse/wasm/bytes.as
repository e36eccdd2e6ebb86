import { BYTE_CLASSES } from './layout'
import { EACH_BYTE } from './tables'

export const LESS_THAN: u32 = 0x3c
export const GREATER_THAN: u32 = 0x3e
export const SLASH: u32 = 0x2f
export const EXCLAMATION: u32 = 0x21
export const QUESTION: u32 = 0x3f
export const EQUALS: u32 = 0x3d
export const DASH: u32 = 0x2d
export const AMPERSAND: u32 = 0x26
export const SPACE: u32 = 0x20

@inline export function byteAt(at: usize): u32 {
  return load<u8>(at)
}

@inline export function classOf(byte: u32): u32 {
  return load<u8>(BYTE_CLASSES + byte)
}

@inline export function isSpace(byte: u32): bool {
  return byte == 0x20 || byte == 0x0a || byte == 0x09 || byte == 0x0d || byte == 0x0c
}

@inline export function isLetter(byte: u32): bool {
  return (byte | 0x20) - 0x61 < 26
}

@inline export function lowerCase(byte: u32): u32 {
  return byte - 0x41 < 26 ? byte | 0x20 : byte
}

/** The next such byte before `end`, which is that of the document, or `end`. */
export function find(byte: u32, from: usize, end: usize): usize {
  const wanted = i8x16.splat(<i8>byte)
  for (let at = from; at < end; at += 64) {
    const mask = equal64(v128.load(at), v128.load(at, 16), v128.load(at, 32), v128.load(at, 48), wanted)
    if (mask != 0) return at + <usize>ctz(mask)
  }
  return end
}

/** A bit for each of 64 bytes, here those that are equal. */
@inline export function equal64(a: v128, b: v128, c: v128, d: v128, wanted: v128): u64 {
  return bits64(i8x16.eq(a, wanted), i8x16.eq(b, wanted), i8x16.eq(c, wanted), i8x16.eq(d, wanted))
}

@inline export function bits64(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = <u32>i8x16.bitmask(a) | (<u32>i8x16.bitmask(b) << 16)
  const high = <u32>i8x16.bitmask(c) | (<u32>i8x16.bitmask(d) << 16)
  return <u64>low | (<u64>high << 32)
}

/** Is it a byte of the table? There, at the place of its low half, stands the one byte that has this half. */
@inline export function isOneOf(bytes: v128, table: v128, lowHalves: v128): v128 {
  return i8x16.eq(bytes, i8x16.swizzle(table, v128.and(bytes, lowHalves)))
}

@inline export function oneOf64(a: v128, b: v128, c: v128, d: v128, table: v128): u64 {
  const low = allOf(0x0f)
  return bits64(isOneOf(a, table, low), isOneOf(b, table, low), isOneOf(c, table, low), isOneOf(d, table, low))
}

const NAME_ENDS: usize = memory.data<u8>([0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0x09, 0x0a, 0, 0x0c, 0x0d, 0x3e, 0x2f], 16)
const WHITE_SPACE: usize = memory.data<u8>([0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0x09, 0x0a, 0, 0x0c, 0x0d, 0, 0], 16)

/** White space, `/` and `>`, for `isOneOf`. */
@inline export function nameEnds(): v128 {
  return v128.load(NAME_ENDS)
}

@inline export function whiteSpace(): v128 {
  return v128.load(WHITE_SPACE)
}

/** Sixteen times a byte, from memory, because the engine takes several instructions to make a vector of a constant. */
@inline export function allOf(byte: usize): v128 {
  return v128.load_splat<u8>(EACH_BYTE + byte)
}

/** Reads up to 15 bytes beyond them. */
export function sameBytes(a: usize, b: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i += 16) {
    const others = i8x16.bitmask(i8x16.ne(v128.load(a + i), v128.load(b + i)))
    if ((others & firstBits(length - i)) != 0) return false
  }
  return true
}

/** Of 16 bits, or as many as there are. */
@inline export function firstBits(count: usize): i32 {
  return count < 16 ? (1 << <i32>count) - 1 : 0xffff
}

/** Does this text stand here, in any case? `text` is in lower case, ASCII, without `@` and `[` to `_`. */
export function hasText(at: usize, text: string): bool {
  for (let i = 0; i < text.length; i++) if (lowerCase(byteAt(at + i)) != <u32>text.charCodeAt(i)) return false
  return true
}
