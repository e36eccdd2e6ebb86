import { FOLDED, FOLDED_CHUNK } from './layout'
import { BASE } from './tables'

/**
 * The twin of `dedup/tokens.ts`: the words of a text in well-formed UTF-8 as hashes, block by block. Letters of ASCII are
 * read 64 at a time: which bytes belong to words is a number with a bit for each of them, and a hash is made of eight letters
 * at once.
 */

const LINE_FEED: u32 = 0x0a
const ALONE: u32 = 0xffff
const NOT_ASCII: u64 = 0x8080808080808080

const BASE_16 = <i16>BASE
const BASE_2: i32 = BASE * BASE
const BASE_3: i32 = BASE_2 * BASE
const BASE_4: i32 = BASE_3 * BASE
const BASE_5: i32 = BASE_4 * BASE
const BASE_6: i32 = BASE_5 * BASE
const BASE_7: i32 = BASE_6 * BASE
const BASE_8: i32 = BASE_7 * BASE
const POWERS = memory.data<i32>([1, BASE, BASE_2, BASE_3, BASE_4, BASE_5, BASE_6, BASE_7, BASE_8])

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
  hashes = (end + 15) & ~15
  ends = hashes + (textBytes / 2 + 2) * 4
  wordCount = blockCount = hash = 0
  for (let at = text; at < end; ) at = (load<u64>(at) & NOT_ASCII) == 0 ? readAscii(at, end) : readCharacter(at)
  endWord()
  endBlock()
}

/** Up to 64 bytes of ASCII, of which there are eight at least, or the end of the text. */
function readAscii(at: usize, end: usize): usize {
  let words: u64 = 0
  let breaks: u64 = 0
  let others: u64 = 0
  for (let i: usize = 0; i < 64; i += 16) {
    const bytes = v128.load(at + i)
    const lower = v128.or(bytes, i8x16.splat(0x20))
    const letters = i8x16.lt_u(i8x16.sub(lower, i8x16.splat(0x61)), i8x16.splat(26))
    const digits = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10))
    v128.store(<usize>FOLDED_CHUNK + i, v128.or(v128.and(letters, lower), v128.and(digits, i8x16.splat(0x30))))
    words |= <u64>i8x16.bitmask(v128.or(letters, digits)) << i
    breaks |= <u64>i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(<i8>LINE_FEED))) << i
    others |= <u64>i8x16.bitmask(bytes) << i
  }
  const length = min<u64>(ctz(others), end - at)
  words &= below(length)
  breaks &= below(length)
  if ((words & 1) == 0) endWord()
  while (breaks != 0) {
    const lineEnd = ctz(breaks)
    addWords(words & below(lineEnd), length)
    endBlock()
    words &= ~below(lineEnd)
    breaks &= breaks - 1
  }
  if (words != 0) addWords(words, length)
  return at + <usize>length
}

@inline function below(bit: u64): u64 {
  return bit == 64 ? -1 : (<u64>1 << bit) - 1
}

/** A word that ends with the chunk may go on behind it. */
@inline function addWords(letters: u64, length: u64): void {
  let words = letters
  let sum = hash
  let next = hashes + wordCount * 4
  while (words != 0) {
    const start = ctz(words)
    const end = start + ctz(~(words >> start))
    words &= words + (<u64>1 << start)
    sum = addLetters(sum, <usize>FOLDED_CHUNK + <usize>start, <usize>FOLDED_CHUNK + <usize>end)
    if (end == length) break
    store<i32>(next, sum)
    next += <usize>(sum != 0) << 2
    sum = 0
  }
  hash = sum
  wordCount = <u32>((next - hashes) >> 2)
}

@inline function addLetters(hash: i32, from: usize, end: usize): i32 {
  let sum = hash
  let at = from
  for (; end - at > 8; at += 8) sum = sum * BASE_8 + eightLetters(load<u64>(at))
  const left = end - at
  return sum * load<i32>(POWERS + left * 4) + eightLetters(load<u64>(at) << (64 - left * 8))
}

@inline function eightLetters(letters: u64): i32 {
  const wide = i16x8.extend_low_i8x16_u(i64x2.splat(letters))
  const pairs = i32x4.dot_i16x8_s(wide, i16x8(BASE_16, 1, BASE_16, 1, BASE_16, 1, BASE_16, 1))
  const fours = i32x4.mul(pairs, i32x4(BASE_6, BASE_4, BASE_2, 1))
  const twos = i32x4.add(fours, i8x16.shuffle(fours, fours, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7))
  return i32x4.extract_lane(twos, 0) + i32x4.extract_lane(twos, 1)
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
