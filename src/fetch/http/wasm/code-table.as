import { entryOf, ofSpecial, ofValue, SUB_TABLE } from './entries'
import { COUNTS, PLACES, SORTED } from './layout'

/**
 * Makes the table of a Huffman code from the lengths of its codes, as libdeflate does: shorter codes first, each one
 * written once; then the table is doubled for longer ones, since a code says nothing about the bits behind it.
 */
const MAX_CODE_BITS: u32 = 15
/** What a complete code uses, counted in codes of the longest kind. */
const ALL_CODES: u32 = 1 << MAX_CODE_BITS

/** The table that is made, by how many bits it goes, and what its symbols mean. */
let table: usize = 0
let tableBits: u32 = 0
let meanings: usize = 0
/** Where the next symbol stands, in the order of codes. */
let symbol: usize = 0

/** False: no code has such lengths, or one that leaves bits without a meaning. */
export function makeTable(at: usize, bits: u32, meaningsAt: usize, lengths: usize, symbols: u32): bool {
  if (sortSymbols(at, bits, meaningsAt, lengths, symbols) != ALL_CODES) return false
  fillSubTables(fillTable())
  return true
}

/** The same; but a code of a single symbol may have one bit, and there may be no code at all. */
export function makeTableOfAny(at: usize, bits: u32, meaningsAt: usize, lengths: usize, symbols: u32): bool {
  const used = sortSymbols(at, bits, meaningsAt, lengths, symbols)
  const isSingle = used == ALL_CODES / 2 && countOf(1) == 1
  if (isSingle || used == 0) fillTableOfOne(isSingle)
  else if (used == ALL_CODES) fillSubTables(fillTable())
  else return false
  return true
}

/** In the table that was made last, which has one. */
export function shortestCode(): u32 {
  let bits: u32 = 1
  while (countOf(bits) == 0) bits++
  return bits
}

@inline function countOf(length: u32): u32 {
  return load<u32>(COUNTS + (length << 2))
}

@inline function entryAt(index: u32): usize {
  return table + (<usize>index << 2)
}

@inline function nextMeaning(): u32 {
  const meaning = load<u32>(meanings + (<usize>load<u16>(symbol) << 2))
  symbol += 2
  return meaning
}

/** Begins a table: symbols by the lengths of their codes. Answers how much of all codes they use. */
function sortSymbols(at: usize, bits: u32, meaningsAt: usize, lengths: usize, symbols: u32): u32 {
  table = at
  tableBits = bits
  meanings = meaningsAt
  countLengths(lengths, symbols)
  let used: u32 = 0
  let place = countOf(0)
  symbol = SORTED + (place << 1)
  store<u32>(PLACES, 0)
  for (let length: u32 = 1; length <= MAX_CODE_BITS; length++) {
    store<u32>(PLACES + (length << 2), place)
    place += countOf(length)
    used = (used << 1) + countOf(length)
  }
  for (let i: u32 = 0; i < symbols; i++) store<u16>(SORTED + (counted(PLACES, lengths + i) << 1), <u16>i)
  return used
}

function countLengths(lengths: usize, symbols: u32): void {
  memory.fill(COUNTS, 0, (MAX_CODE_BITS + 1) * 4)
  for (let i: u32 = 0; i < symbols; i++) counted(COUNTS, lengths + i)
}

/** Adds one to the counter of a length; answers what it was. */
@inline function counted(counters: u32, length: usize): u32 {
  const counter = counters + (<u32>load<u8>(length) << 2)
  const count = load<u32>(counter)
  store<u32>(counter, count + 1)
  return count
}

function fillTableOfOne(isSingle: bool): void {
  const entry = isSingle ? entryOf(nextMeaning(), 1) : ofSpecial(0)
  for (let i: u32 = 0; i < 1 << tableBits; i += 2) {
    store<u32>(entryAt(i), entry)
    store<u32>(entryAt(i + 1), ofSpecial(0))
  }
}

/** Answers the first code that is longer than the table allows, if there are such. */
function fillTable(): u32 {
  let code: u32 = 0
  let size: u32 = 1
  for (let length: u32 = 1; length <= tableBits; length++) {
    memory.copy(entryAt(size), table, <usize>size << 2)
    size <<= 1
    for (let left = countOf(length); left > 0; left--) {
      store<u32>(entryAt(code), entryOf(nextMeaning(), length))
      code = nextCode(code, length)
    }
  }
  return code
}

/** Codes that begin with the same bits share a sub-table, which is as large as the longest of them needs. */
function fillSubTables(first: u32): void {
  let code = first
  let end: u32 = 1 << tableBits
  const mask = end - 1
  let start: u32 = 0
  let prefix: u32 = u32.MAX_VALUE
  for (let length = tableBits + 1; length <= MAX_CODE_BITS; length++) {
    const rest = length - tableBits
    for (let left = countOf(length); left > 0; left--) {
      if ((code & mask) != prefix) {
        prefix = code & mask
        const bits = bitsOfSubTable(rest, left)
        start = end
        end += 1 << bits
        store<u32>(entryAt(prefix), ofSpecial(SUB_TABLE) | ofValue(start) | (bits << 8) | tableBits)
      }
      const entry = entryOf(nextMeaning(), rest)
      for (let i = start + (code >> tableBits); i < end; i += 1 << rest) store<u32>(entryAt(i), entry)
      code = nextCode(code, length)
    }
  }
}

/** As many as it takes until codes of this length, `left` of them, and longer ones have used it up. */
function bitsOfSubTable(rest: u32, left: u32): u32 {
  let bits = rest
  for (let used = left; used < 1 << bits; used = (used << 1) + countOf(tableBits + bits)) bits++
  return bits
}

/** One more, but that the bit which is sent first is the lowest; 0 after the last. */
@inline function nextCode(code: u32, length: u32): u32 {
  const all: u32 = (1 << length) - 1
  const bit: u32 = (<u32>1 << 31) >> clz<u32>(code ^ all)
  return code == all ? 0 : (code & (bit - 1)) | bit
}
