import { bits, drop, refill, take, unreadBytes } from './bits'
import { makeTable, makeTableOfAny, shortestCode } from './code-table'
import {
  CODE_LENGTH_BITS,
  DISTANCE_BITS,
  END_OF_BLOCK,
  ofByte,
  ofDistance,
  ofLength,
  ofSpecial,
  ofValue,
  SYMBOL_BITS,
  valueOf,
} from './entries'
import { joinSymbols } from './joined-symbols'
import {
  CODE_LENGTH_MEANINGS,
  CODE_LENGTHS,
  DISTANCE_MEANINGS,
  DISTANCES,
  LENGTHS,
  SYMBOL_MEANINGS,
  SYMBOLS,
} from './layout'

/** The codes of a block (RFC 1951, 3.2.5 to 3.2.7). */

const LITERALS: u32 = 256
const MAX_SYMBOLS: u32 = 286
const MAX_DISTANCES: u32 = 30
/** Those that a fixed code has are more: the last two of each mean nothing. */
const FIXED_SYMBOLS: u32 = 288
const FIXED_DISTANCES: u32 = 32
const MAX_LENGTH: u32 = 258

const CODE_LENGTH_SYMBOLS: u32 = 19
/** In the order in which their lengths are sent. */
const CODE_LENGTH_ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15])
const REPEAT_LAST: u32 = 16
const FEW_ZEROS: u32 = 17

/** Less input is sooner read than symbols are joined for it. */
const WORTH_JOINING_BYTES: i32 = 3000
/** Heads of pages are often sent in blocks of their own. Thousands of small blocks are sent by nobody who means well. */
const MORE_JOININGS: i32 = 2
/** While more than so many bytes are unread, symbols are not joined again. */
let joiningFrom: i32 = 0

/** A new input. */
export function beginCodes(): void {
  joiningFrom = unreadBytes() + MORE_JOININGS * WORTH_JOINING_BYTES
}

export function fillMeanings(): void {
  for (let byte: u32 = 0; byte < LITERALS; byte++) setMeaning(SYMBOL_MEANINGS, byte, ofByte(byte))
  setMeaning(SYMBOL_MEANINGS, LITERALS, ofSpecial(END_OF_BLOCK))
  for (let i: u32 = 0, base: u32 = 3; i < 28; i++) {
    const extraBits: u32 = i < 8 ? 0 : (i - 4) >> 2
    setMeaning(SYMBOL_MEANINGS, LITERALS + 1 + i, ofLength(base, extraBits))
    base += 1 << extraBits
  }
  setMeaning(SYMBOL_MEANINGS, MAX_SYMBOLS - 1, ofLength(MAX_LENGTH, 0))
  for (let i: u32 = 0, base: u32 = 1; i < MAX_DISTANCES; i++) {
    const extraBits: u32 = i < 4 ? 0 : (i - 2) >> 1
    setMeaning(DISTANCE_MEANINGS, i, ofDistance(base, extraBits))
    base += 1 << extraBits
  }
  for (let i = MAX_SYMBOLS; i < FIXED_SYMBOLS; i++) setMeaning(SYMBOL_MEANINGS, i, ofSpecial(0))
  for (let i = MAX_DISTANCES; i < FIXED_DISTANCES; i++) setMeaning(DISTANCE_MEANINGS, i, ofSpecial(0))
  for (let i: u32 = 0; i < CODE_LENGTH_SYMBOLS; i++) setMeaning(CODE_LENGTH_MEANINGS, i, ofValue(i))
}

function setMeaning(meanings: usize, symbol: u32, meaning: u32): void {
  store<u32>(meanings + (symbol << 2), meaning)
}

export function useFixedCodes(): bool {
  memory.fill(LENGTHS, 8, 144)
  memory.fill(LENGTHS + 144, 9, 112)
  memory.fill(LENGTHS + 256, 7, 24)
  memory.fill(LENGTHS + 280, 8, 8)
  memory.fill(LENGTHS + FIXED_SYMBOLS, 5, FIXED_DISTANCES)
  return useCodes(FIXED_SYMBOLS, FIXED_DISTANCES)
}

/** Codes that come with the block; false: they make no sense. */
export function readCodes(): bool {
  const symbols = take(5) + LITERALS + 1
  const distances = take(5) + 1
  const codeLengths = take(4) + 4
  if (symbols > MAX_SYMBOLS || distances > MAX_DISTANCES) return false
  if (!readCodeLengthCode(codeLengths) || !readLengths(symbols + distances)) return false
  const canEnd = load<u8>(LENGTHS + LITERALS) != 0
  return canEnd && useCodes(symbols, distances)
}

function useCodes(symbols: u32, distances: u32): bool {
  if (!makeTableOfAny(SYMBOLS, SYMBOL_BITS, SYMBOL_MEANINGS, LENGTHS, symbols)) return false
  joinIfWorthwhile(unreadBytes())
  return makeTableOfAny(DISTANCES, DISTANCE_BITS, DISTANCE_MEANINGS, LENGTHS + symbols, distances)
}

function joinIfWorthwhile(unread: i32): void {
  if (unread < WORTH_JOINING_BYTES || unread > joiningFrom) return
  joiningFrom -= WORTH_JOINING_BYTES
  joinSymbols(shortestCode())
}

function readCodeLengthCode(count: u32): bool {
  memory.fill(LENGTHS, 0, CODE_LENGTH_SYMBOLS)
  for (let i: u32 = 0; i < count; i++) {
    refill()
    store<u8>(LENGTHS + <u32>load<u8>(CODE_LENGTH_ORDER + i), <u8>take(3))
  }
  return makeTable(CODE_LENGTHS, CODE_LENGTH_BITS, CODE_LENGTH_MEANINGS, LENGTHS, CODE_LENGTH_SYMBOLS)
}

function readLengths(count: u32): bool {
  let i: u32 = 0
  while (i < count) {
    refill()
    const entry = load<u32>(CODE_LENGTHS + ((<u32>bits & ((1 << CODE_LENGTH_BITS) - 1)) << 2))
    drop(entry & 0xff)
    const symbol = valueOf(entry)
    if (symbol < REPEAT_LAST) {
      store<u8>(LENGTHS + i++, <u8>symbol)
      continue
    }
    if (symbol == REPEAT_LAST && i == 0) return false
    const length: u8 = symbol == REPEAT_LAST ? load<u8>(LENGTHS + i - 1) : 0
    const times = symbol == REPEAT_LAST ? take(2) + 3 : symbol == FEW_ZEROS ? take(3) + 3 : take(7) + 11
    if (i + times > count) return false
    memory.fill(LENGTHS + i, length, times)
    i += times
  }
  return unreadBytes() >= 0
}
