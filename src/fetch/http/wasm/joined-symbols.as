import { behindByte, NOT_BYTES, SYMBOL_BITS } from './entries'
import { BEHIND_BYTE, SINGLES, SYMBOLS } from './layout'

/**
 * Writes entries of two symbols into the table of symbols: a byte, and behind it a byte or a length, where the table
 * goes by enough bits for both codes. In pages that saves a quarter of all lookups, each of which has to wait for the
 * one before, and a sixth of the jumps that are foretold wrongly.
 */
export function joinSymbols(shortestCode: u32): void {
  const longestCode = SYMBOL_BITS - shortestCode
  if (longestCode < shortestCode) return
  memory.copy(SINGLES, SYMBOLS, <usize>4 << longestCode)
  for (let bits = shortestCode; bits <= longestCode; bits++) {
    listBehindByte(SYMBOL_BITS - bits)
    for (let code: u32 = 0; code < <u32>1 << bits; code++) {
      const entry = load<u32>(SINGLES + (code << 2))
      if ((entry & (NOT_BYTES | 63)) == bits) joinTo(entry, code, bits)
    }
  }
}

/** By the bits behind a byte: what is added to its entry. */
function listBehindByte(bits: u32): void {
  for (let i: usize = 0; i < <usize>4 << bits; i += 16)
    v128.store(i, behindByte(v128.load(i, SINGLES), bits), BEHIND_BYTE)
}

/** All entries of a byte. */
function joinTo(entry: u32, code: u32, bits: u32): void {
  const step: usize = 4 << bits
  let behind: usize = BEHIND_BYTE
  for (let at: usize = code << 2; at < <usize>4 << SYMBOL_BITS; at += step) {
    store<u32>(at, entry + load<u32>(behind), SYMBOLS)
    behind += 4
  }
}
