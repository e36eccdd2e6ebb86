/**
 * Where things lie in the memory of the word table. This file is compiled twice, as TypeScript and as AssemblyScript, so
 * both sides of the boundary agree by construction.
 */

/** 32-bit numbers that tell where the rest lies. */
export const CELLS = 0x100
/** The word that is merged. */
export const WORD = 0x300
/** What a run of characters became, a piece at a time. */
export const RUN = 0x400
export const RUN_BYTES = 0xc00
/** Segments that are merged, 64 bytes each. */
export const INPUTS = 0x8000
/** Words that wait for their numbers, and places of those that are long. */
export const WAITING = 0xc000
export const MAX_WAITING = 256
export const LONG = 0xd400
/** Text that was folded, with the words that wait. */
export const FOLDED = 0xd900
export const FOLDED_BYTES = 0x1000
/** Constants of the compiler. */
export const STATICS = 0x1000
/** By UTF-16 unit: what a character beyond ASCII becomes (see `UNIT_BYTES`). */
export const UNITS = 0x10000
/** All that grows. */
export const ROOM = 0x90000

/** Numbers in `CELLS`. */
export const COUNT = 0
export const BYTES_AT = 1
export const ENDS_AT = 2
export const NUMBERS_AT = 3
export const LENGTHS_AT = 4
export const PART_AT = 5
export const PART_BYTES = 6
export const CELL_COUNT = 7

/** What `merge` asks for, beside the next part of an input. */
export const PART_IS_FULL = 0x100
export const ALL_IS_MERGED = 0x101

/** A unit: its kind and, times four, how many bytes it becomes; then these, with a zero where words are parted. */
export const UNIT_BYTES = 8
export const MAX_FOLDED_BYTES = 7
export const KIND_MASK = 3
/** Not looked up yet. */
export const UNKNOWN = 0
export const PLAIN = 1
/** Of a script without spaces. */
export const SPACELESS = 2
/** Its neighbours decide too, or it becomes too much. */
export const BY_RUN = 3
