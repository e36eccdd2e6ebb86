/**
 * An entry of a table, and what a symbol means before it has a code:
 *
 * - Bits 0 to 5: how many bits the code takes, with its extra bits. Shifts look at these six only, so that an entry is
 *   a count as it is.
 * - Bits 8 to 11: how many bits the code alone takes, plus `STALE_BITS`; if it leads to a sub-table, by how many bits
 *   that goes.
 * - Bits 12 to 15: the marks below.
 * - Bits 16 to 30: a byte, the base of a length or distance, or where a sub-table begins.
 * - Bit 31: it is a byte. The most frequent question is one about the sign.
 */
export const LITERAL: u32 = 0x80000000
/** One of the following. */
export const SPECIAL: u32 = 0x8000
export const SUB_TABLE: u32 = 0x4000
export const END_OF_BLOCK: u32 = 0x2000

/** While symbols are read there are so many old bits below the next ones: bits times four are an offset in a table. */
export const STALE_BITS: u32 = 2

/** The longest code with an entry of its own; longer ones are in sub-tables. */
export const SYMBOL_BITS: u32 = 11
export const DISTANCE_BITS: u32 = 8
export const CODE_LENGTH_BITS: u32 = 7

/** A code of so many bits, with this meaning. */
@inline export function entryOf(meaning: u32, bits: u32): u32 {
  return meaning + (bits | (bits << 8))
}

/** To be followed by a code and `extraBits` more, which are added to `base`. */
@inline export function numberFrom(base: u32, extraBits: u32): u32 {
  return (base << 16) | (STALE_BITS << 8) | extraBits
}
