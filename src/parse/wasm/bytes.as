import { BYTE_CLASSES } from './layout'

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

/** The next such byte before `end`, or `end`. Reads up to 15 bytes beyond it. */
export function find(byte: u32, from: usize, end: usize): usize {
  const wanted = i8x16.splat(<i8>byte)
  for (let at = from; at < end; at += 16) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(at), wanted))
    if (mask != 0) return min(at + ctz(mask), end)
  }
  return end
}

export function sameBytes(a: usize, b: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i++) if (load<u8>(a + i) != load<u8>(b + i)) return false
  return true
}

/** Does this text stand here, in any case? `text` is in lower case, ASCII, without `@` and `[` to `_`. */
export function hasText(at: usize, text: string): bool {
  for (let i = 0; i < text.length; i++) if (lowerCase(byteAt(at + i)) != <u32>text.charCodeAt(i)) return false
  return true
}
