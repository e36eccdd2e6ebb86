/**
 * An entry of a table, and what a symbol means before it has a code:
 *
 * - Bits 0 to 5: how many bits it takes, codes and extra bits. Shifts look at these six only, so that an entry is a
 *   count as it is.
 * - Bits 6, 7, 12 and 13: the marks below.
 * - Bits 8 to 11: how many bits the codes alone take, plus `STALE_BITS` unless it is bytes only; if it leads to a
 *   sub-table, by how many bits that goes.
 * - Bits 14 to 29: the base of a distance, or where a sub-table begins. If it is of bytes and lengths: a byte; above it
 *   a second byte, or the base of a length.
 * - Bits 30 and 31: how many bytes there are, before the match if there is one too.
 */
export const SUB_TABLE: u32 = 0x40
export const END_OF_BLOCK: u32 = 0x80
/** One of those above, or without a meaning. */
export const SPECIAL: u32 = 0x1000
/** Something else than bytes, or something behind them. */
export const NOT_BYTES: u32 = 0x2000
const ONE_BYTE: u32 = 0x40000000

const VALUE_AT: u32 = 14
const SECOND_AT: u32 = VALUE_AT + 8
const COUNT_AT: u32 = 30

const MIN_LENGTH: u32 = 3

/** While symbols are read there are so many old bits below the next ones: bits times four are an offset in a table. */
export const STALE_BITS: u32 = 2

/** The longest code with an entry of its own; longer ones are in sub-tables. */
export const SYMBOL_BITS: u32 = 12
export const DISTANCE_BITS: u32 = 8
export const CODE_LENGTH_BITS: u32 = 7

/** A code of so many bits, with this meaning. */
@inline export function entryOf(meaning: u32, bits: u32): u32 {
  return meaning + (bits | (bits << 8))
}

@inline export function ofValue(value: u32): u32 {
  return value << VALUE_AT
}

@inline export function ofByte(byte: u32): u32 {
  return ONE_BYTE | ofValue(byte)
}

/** To be followed by a code and `extraBits` more, which are added to `base`. */
@inline export function ofDistance(base: u32, extraBits: u32): u32 {
  return ofValue(base) | (STALE_BITS << 8) | extraBits
}

/** As `ofDistance`. */
@inline export function ofLength(base: u32, extraBits: u32): u32 {
  return NOT_BYTES | ((base - MIN_LENGTH) << SECOND_AT) | (STALE_BITS << 8) | extraBits
}

@inline export function ofSpecial(marks: u32): u32 {
  return NOT_BYTES | SPECIAL | marks
}

@inline export function valueOf(entry: u32): u32 {
  return entry >> VALUE_AT
}

@inline export function bytesOf(entry: u32): u16 {
  return <u16>(entry >> VALUE_AT)
}

@inline export function countOfBytes(entry: u32): u32 {
  return entry >> COUNT_AT
}

/** From the bits before its code was taken. */
@inline export function lengthOf(entry: u32, bits: u64): u32 {
  return MIN_LENGTH + ((entry >> SECOND_AT) & 0xff) + extraOf(entry, bits)
}

/** As `lengthOf`. */
@inline export function distanceOf(entry: u32, bits: u64): u32 {
  return valueOf(entry) + extraOf(entry, bits)
}

/** Codes and extra bits are in the lower half. */
@inline function extraOf(entry: u32, bits: u64): u32 {
  const codesAndExtra = <u32>bits & (((1 << STALE_BITS) << entry) - (1 << STALE_BITS))
  return codesAndExtra >> ((entry >> 8) & 15)
}

/**
 * Four entries of symbols as they are behind a byte: added to its entry they are the entry of both. Those that do not
 * fit, since their codes are longer than `maxBits` or since they are special, become 0, and the byte stays alone.
 */
@inline export function behindByte(entries: v128, maxBits: u32): v128 {
  const isOther = i32x4.ne(v128.and(entries, i32x4.splat(NOT_BYTES)), i32x4.splat(0))
  const stale = v128.and(isOther, i32x4.splat(STALE_BITS))
  const codeBits = i32x4.sub(v128.and(i32x4.shr_u(entries, 8), i32x4.splat(15)), stale)
  const byte = v128.andnot(v128.and(entries, i32x4.splat(0xff << VALUE_AT)), isOther)
  const moved = i32x4.add(i32x4.sub(entries, byte), i32x4.shl(byte, SECOND_AT - VALUE_AT))
  const isSpecial = i32x4.ne(v128.and(entries, i32x4.splat(SPECIAL)), i32x4.splat(0))
  const isTooLong = i32x4.gt_s(codeBits, i32x4.splat(maxBits))
  return v128.andnot(moved, v128.or(isSpecial, isTooLong))
}
