import { FOLDED, LETTER_SUMS } from './layout'
import { BASE, PAIR_FACTORS, POWERS } from './tables'

/**
 * The twin of `dedup/tokens.ts`: the words of a text in well-formed UTF-8 as hashes, block by block. Letters of ASCII are
 * read 64 at a time: which bytes belong to words is a number with a bit for each of them, and all hashes are made at once.
 */

const LINE_FEED: u32 = 0x0a
const ALONE: u32 = 0xffff
const NOT_ASCII: u64 = 0x8080808080808080

/** Constants that the compiler of the host would make anew wherever they are used, were they not in memory. */
const CONSTANTS = memory.data<u8>([0x20, 0x80 - 0x61, 0x80 + 26, 0x80 - 0x30, 0x80 + 10, 0x30, 0x0a])
const UPPER: usize = 0
const BEFORE_LETTERS: usize = 1
const LETTER_COUNT: usize = 2
const BEFORE_DIGITS: usize = 3
const DIGIT_COUNT: usize = 4
const DIGIT: usize = 5
const LINE_FEED_AT: usize = 6
const PAIR_NUMBER: i32 = BASE | (1 << 16)
const PAIR = memory.data<i32>([PAIR_NUMBER])
const BASE_2: i32 = BASE * BASE

/** Hashes of the words. */
let hashes: usize = 0
/** For each block that has words the number of the first word behind it. */
let ends: usize = 0
export let wordCount: u32 = 0
export let blockCount: u32 = 0
/** Of the word that the text ends with so far, or 0. */
let hash: i32 = 0

/** Bytes that `readWords` needs behind a text: no text has more words than half of its bytes, and one. */
@inline export function roomForWords(textBytes: usize): usize {
  return (textBytes / 2 + 2) * 8 + 64
}

@inline export function hashAt(word: u32): i32 {
  return load<i32>(hashes + word * 4)
}

@inline export function blockEnd(block: u32): u32 {
  return load<u32>(ends + block * 4)
}

export function readWords(text: usize, textBytes: usize): void {
  const end = text + textBytes
  // So that no word goes on behind the end.
  store<u64>(end, 0)
  hashes = (end + 23) & ~15
  ends = hashes + (textBytes / 2 + 2) * 4
  wordCount = blockCount = hash = 0
  for (let at = text; at < end; ) at = (load<u64>(at) & NOT_ASCII) == 0 ? readAscii(at, end) : readCharacter(at)
  endWord()
  endBlock()
}

/** Up to 64 bytes of ASCII, of which there are eight at least, or the end of the text. */
function readAscii(at: usize, end: usize): usize {
  const a = v128.load(at)
  const b = v128.load(at, 16)
  const c = v128.load(at, 32)
  const d = v128.load(at, 48)
  const upper = constant(UPPER)
  const beforeLetters = constant(BEFORE_LETTERS)
  const letterCount = constant(LETTER_COUNT)
  const beforeDigits = constant(BEFORE_DIGITS)
  const digitCount = constant(DIGIT_COUNT)
  const digit = constant(DIGIT)
  const lineFeed = constant(LINE_FEED_AT)
  const pair = v128.load32_splat(PAIR)
  const isDigitA = isAmong(a, beforeDigits, digitCount)
  const isDigitB = isAmong(b, beforeDigits, digitCount)
  const isDigitC = isAmong(c, beforeDigits, digitCount)
  const isDigitD = isAmong(d, beforeDigits, digitCount)
  const lowerA = v128.or(a, upper)
  const lowerB = v128.or(b, upper)
  const lowerC = v128.or(c, upper)
  const lowerD = v128.or(d, upper)
  const isLetterA = isAmong(lowerA, beforeLetters, letterCount)
  const isLetterB = isAmong(lowerB, beforeLetters, letterCount)
  const isLetterC = isAmong(lowerC, beforeLetters, letterCount)
  const isLetterD = isAmong(lowerD, beforeLetters, letterCount)
  let sum = sumUp(foldedLetters(lowerA, isLetterA, isDigitA, digit), i64x2.splat(0), pair, 0)
  sum = sumUp(foldedLetters(lowerB, isLetterB, isDigitB, digit), sum, pair, 32)
  sum = sumUp(foldedLetters(lowerC, isLetterC, isDigitC, digit), sum, pair, 64)
  sumUp(foldedLetters(lowerD, isLetterD, isDigitD, digit), sum, pair, 96)
  let letters = bits(v128.or(isLetterA, isDigitA), v128.or(isLetterB, isDigitB), v128.or(isLetterC, isDigitC), v128.or(isLetterD, isDigitD))
  let breaks = bits(i8x16.eq(a, lineFeed), i8x16.eq(b, lineFeed), i8x16.eq(c, lineFeed), i8x16.eq(d, lineFeed))
  const others = bits(a, b, c, d)
  const length = min<u64>(ctz(others), end - at)
  const read: u64 = length == 64 ? -1 : (<u64>1 << length) - 1
  letters &= read
  breaks &= read
  let ends = ~letters & ((letters << 1) | u64(hash != 0)) & read
  let before = -hash * BASE_2
  while (breaks != 0) {
    const line = breaks ^ (breaks - 1)
    before = addWords(ends & line, before)
    endBlock()
    ends &= ~line
    breaks &= breaks - 1
  }
  before = addWords(ends, before)
  hash = hashUpTo(length, before)
  return at + <usize>length
}

@inline function constant(at: usize): v128 {
  return v128.load8_splat(CONSTANTS + at)
}

@inline function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    <u64><u32>i8x16.bitmask(a) | (<u64><u32>i8x16.bitmask(b) << 16) |
    (<u64><u32>i8x16.bitmask(c) << 32) | (<u64><u32>i8x16.bitmask(d) << 48)
  )
}

@inline function isAmong(bytes: v128, before: v128, count: v128): v128 {
  return i8x16.lt_s(i8x16.add(bytes, before), count)
}

@inline function foldedLetters(lower: v128, isLetter: v128, isDigit: v128, digit: v128): v128 {
  return v128.or(v128.and(isLetter, lower), v128.and(isDigit, digit))
}

/**
 * Two letters are a number, which is divided by as many powers of the base as letters stand before them; of these are the
 * sums. So the hash of any letters is a difference, times powers of the base.
 */
@inline function sumUp(letters: v128, before: v128, pair: v128, at: usize): v128 {
  return sumUpHalf(i16x8.extend_high_i8x16_u(letters), sumUpHalf(i16x8.extend_low_i8x16_u(letters), before, pair, at), pair, at + 16)
}

@inline function sumUpHalf(letters: v128, before: v128, pair: v128, at: usize): v128 {
  const zero = i64x2.splat(0)
  let sums = i32x4.mul(i32x4.dot_i16x8_s(letters, pair), v128.load(PAIR_FACTORS + at))
  sums = i32x4.add(sums, i8x16.shuffle(zero, sums, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27))
  sums = i32x4.add(sums, i8x16.shuffle(zero, sums, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23))
  sums = i32x4.add(sums, before)
  v128.store(<usize>LETTER_SUMS + at, sums)
  return i8x16.shuffle(sums, sums, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15)
}

/** Those that end there. `before`: the sum up to the first. Answers that up to the next. */
@inline function addWords(ends: u64, before: i32): i32 {
  let sum = before
  let next = hashes + wordCount * 4
  for (let rest = ends; rest != 0; rest &= rest - 1) {
    const end = ctz(rest)
    const hash = hashUpTo(end, sum)
    sum = sumUpTo(end)
    store<i32>(next, hash)
    next += <usize>(hash != 0) << 2
  }
  wordCount = <u32>((next - hashes) >> 2)
  return sum
}

@inline function hashUpTo(end: u64, before: i32): i32 {
  return (sumUpTo(end) - before) * load<i32>(POWERS + <usize>end * 4)
}

/** What stands at `end` is no letter, so that it does not matter whether a pair ends there. */
@inline function sumUpTo(end: u64): i32 {
  return load<i32>(<usize>LETTER_SUMS - 4 + (((<usize>end + 1) >> 1) << 2))
}

function readCharacter(at: usize): usize {
  const first = <u32>load<u8>(at)
  if (first < 0x80) {
    addCharacter(first, load<u16>(FOLDED + first * 2))
    return at + 1
  }
  const second = <u32>load<u8>(at, 1) & 0x3f
  if (first < 0xe0) {
    const code = ((first & 0x1f) << 6) | second
    addCharacter(code, code < 0x250 ? <u32>load<u16>(FOLDED + code * 2) : folded(code))
    return at + 2
  }
  const third = <u32>load<u8>(at, 2) & 0x3f
  if (first < 0xf0) {
    const code = ((first & 0x0f) << 12) | (second << 6) | third
    addCharacter(code, folded(code))
    return at + 3
  }
  // Two units in UTF-16, which is what the twin reads.
  const code = ((first & 7) << 18) | (second << 12) | (third << 6) | (load<u8>(at, 3) & 0x3f)
  addCharacter(0xd7c0 + (code >> 10), ALONE)
  addCharacter(0xdc00 + (code & 0x3ff), ALONE)
  return at + 4
}

function addCharacter(code: u32, letter: u32): void {
  if (letter != 0 && letter != ALONE) {
    hash = hash * BASE + letter
    return
  }
  endWord()
  if (letter == ALONE) store<i32>(hashes + wordCount++ * 4, code * 0x9e3779b1)
  else if (code == LINE_FEED) endBlock()
}

@inline function endWord(): void {
  store<i32>(hashes + wordCount * 4, hash)
  wordCount += u32(hash != 0)
  hash = 0
}

function endBlock(): void {
  if (blockCount > 0 ? blockEnd(blockCount - 1) == wordCount : wordCount == 0) return
  store<u32>(ends + blockCount++ * 4, wordCount)
}

function folded(code: u32): u32 {
  if (code < 0x530)
    return (code >= 0x410 && code < 0x430) || (code >= 0x391 && code < 0x3aa) ? code + 0x20 : code
  if (code < 0xe00) return code
  if (code < 0xf00) return ALONE
  if (code >= 0x1000 && code < 0x10a0) return ALONE
  if (code >= 0x1780 && code < 0x1800) return ALONE
  if (code < 0x2000) return code
  if (code < 0x3040) return code >= 0x2c00 && code < 0x2e00 ? code : 0
  if (code < 0xd7b0) return code >= 0xa000 && code < 0xac00 ? code : ALONE
  if (code < 0xe000) return ALONE
  return code >= 0xff00 || (code >= 0xfe00 && code < 0xfe70) ? 0 : code
}
