import { CELLS, FIRST, INPUT, REFERENCES, SECOND } from './layout'
import { HIGH_CONTROLS } from './tables'

/**
 * The twin of `character-references.ts`. Numbers are read here; a name is looked up by the host when it is met for the first
 * time and remembered, so that the two thousand names stand in one place only.
 */

/** The place behind the reference, or -1; what it stands for is in the cells `FIRST` and `SECOND`. */
@external('host', 'named')
declare function lookUp(at: i32, end: i32, inAttribute: bool): i32

const SEMICOLON: u32 = 0x3b
const HASH: u32 = 0x23
const REPLACEMENT: u32 = 0xfffd
const LONGEST_NAME = 31

const SLOTS: u32 = 256
/** Beyond this nothing more is remembered: pages that try names at random do not slow down others. */
const MAX_REMEMBERED = 160
let remembered = 0

export let first: u32 = 0
export let second: u32 = 0

/** The place behind the reference whose `&` is at `at`, or 0: the `&` stands for itself. */
export function readReference(at: usize, end: usize, inAttribute: bool): usize {
  second = 0
  if (at + 1 >= end) return 0
  return <u32>load<u8>(at + 1) == HASH ? numeric(at + 2, end) : named(at, end, inAttribute)
}

function numeric(from: usize, end: usize): usize {
  const isHex = from < end && (load<u8>(from) | 0x20) == 0x78
  const digits = isHex ? from + 1 : from
  const base: u32 = isHex ? 16 : 10
  let at = digits
  let code: u32 = 0
  for (; at < end; at++) {
    const digit = digitOf(load<u8>(at), isHex)
    if (digit < 0) break
    if (code <= 0x10ffff) code = code * base + digit
  }
  if (at == digits) return 0
  first = scalarValue(code)
  return at < end && <u32>load<u8>(at) == SEMICOLON ? at + 1 : at
}

function digitOf(byte: u32, isHex: bool): i32 {
  if (byte - 0x30 < 10) return byte - 0x30
  const lower = byte | 0x20
  return isHex && lower - 0x61 < 6 ? lower - 0x57 : -1
}

function scalarValue(code: u32): u32 {
  if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return REPLACEMENT
  return code >= 0x80 && code <= 0x9f ? load<u16>(HIGH_CONTROLS + (code - 0x80) * 2) : code
}

function named(at: usize, end: usize, inAttribute: bool): usize {
  const from = at + 1
  const limit = min(end, from + LONGEST_NAME + 1)
  let after = from
  while (after < limit && isAlphanumeric(load<u8>(after))) after++
  const length = after - from
  if (length == 0) return 0
  const isWhole = length <= 8 && after < end && <u32>load<u8>(after) == SEMICOLON
  if (!isWhole) return take(lookUp(<i32>(at - INPUT), <i32>(end - INPUT), inAttribute))
  const name = load<u64>(from) & (<u64>-1 >> ((8 - length) * 8))
  let slot = slotOf(name)
  while (load<u64>(REFERENCES + slot * 16) != 0) {
    if (load<u64>(REFERENCES + slot * 16) == name) {
      first = load<u32>(REFERENCES + slot * 16, 8)
      return after + 1
    }
    slot = (slot + 1) & (SLOTS - 1)
  }
  const found = take(lookUp(<i32>(at - INPUT), <i32>(end - INPUT), inAttribute))
  if (found == after + 1 && second == 0 && remembered < MAX_REMEMBERED) {
    remembered++
    store<u64>(REFERENCES + slot * 16, name)
    store<u32>(REFERENCES + slot * 16, first, 8)
  }
  return found
}

function take(after: i32): usize {
  if (after < 0) return 0
  first = load<u32>(CELLS + FIRST * 4)
  second = load<u32>(CELLS + SECOND * 4)
  return INPUT + after
}

@inline function slotOf(name: u64): u32 {
  return <u32>((name * 0x9e3779b97f4a7c15) >> 56)
}

@inline function isAlphanumeric(byte: u32): bool {
  return (byte | 0x20) - 0x61 < 26 || byte - 0x30 < 10
}

export function writeUtf8(out: usize, code: u32): usize {
  if (code < 0x80) {
    store<u8>(out, code)
    return out + 1
  }
  if (code < 0x800) {
    store<u8>(out, 0xc0 | (code >> 6))
    store<u8>(out, 0x80 | (code & 0x3f), 1)
    return out + 2
  }
  if (code < 0x10000) {
    store<u8>(out, 0xe0 | (code >> 12))
    store<u8>(out, 0x80 | ((code >> 6) & 0x3f), 1)
    store<u8>(out, 0x80 | (code & 0x3f), 2)
    return out + 3
  }
  store<u8>(out, 0xf0 | (code >> 18))
  store<u8>(out, 0x80 | ((code >> 12) & 0x3f), 1)
  store<u8>(out, 0x80 | ((code >> 6) & 0x3f), 2)
  store<u8>(out, 0x80 | (code & 0x3f), 3)
  return out + 4
}
