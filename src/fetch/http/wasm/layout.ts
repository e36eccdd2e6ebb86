/**
 * Where things lie in the memory of the inflater. This file is compiled twice, as TypeScript and as AssemblyScript, so
 * both sides of the boundary agree by construction.
 */

/** Constants of the compiler. */
export const STATICS = 0x400
/** Tables from the next bits to what they mean, 4 bytes for each entry (`entries.as`): literals and lengths, distances… */
export const SYMBOLS = 0x1000
export const DISTANCES = 0x5c00
/** …and how long the codes of a block are. */
export const CODE_LENGTHS = 0x6400
/** By symbol: what it means, 4 bytes each. */
export const SYMBOL_MEANINGS = 0x6600
export const DISTANCE_MEANINGS = 0x6b00
export const CODE_LENGTH_MEANINGS = 0x6b80
/** By symbol: how long its code is, one byte each. */
export const LENGTHS = 0x6c00
/** While a table is made: by length how many codes have it, and where its next symbol goes; symbols by length. */
export const COUNTS = 0x6e00
export const PLACES = 0x6e80
export const SORTED = 0x6f00
/** While symbols are joined: the beginning of their table as it was, and what each of its entries is behind a byte. */
export const SINGLES = 0x8000
export const BEHIND_BYTE = 0xa000

/** More is not inflated here, so that memory never grows. */
export const MAX_INPUT_BYTES = 0x80000
export const MAX_OUTPUT_BYTES = 0x100000
/** Whole words are read and written, past the end of both by up to so many bytes. */
export const SPARE_BYTES = 0x1000
export const INPUT = 0x10000
export const OUTPUT = INPUT + MAX_INPUT_BYTES + SPARE_BYTES
