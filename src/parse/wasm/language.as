import { find, SPACE } from './bytes'
import { GRAMS, LANGUAGE_SUMS, LANGUAGE_TABLES, LATIN_LETTERS, NO_LANGUAGE, NOT_LATIN, SPOKEN, WORDS } from './layout'
import {
  ALONE, BASE_SCORE, ENOUGH_BYTES, HIGH_MASK, LANGUAGE_BYTES, LAST_SPACE, LATIN_END, MAX_BYTES, MAX_GRAM_SPAN, MAX_LANGUAGES,
  MAX_SEARCH_CHARS, MAX_WORD_BYTES, MIN_LETTERS, PARAGRAPH_CHARS, PUNCTUATION, PUNCTUATION_END, SAMPLE_CHARS, SLOTS, SPOKEN_SLOTS,
  VALUE_SHIFT,
} from './tables'

/** The twin of `language.ts` with all that it needs, for text in Latin letters. */

const SLOTS_AT: usize = LANGUAGE_TABLES + LANGUAGE_BYTES
const SCORES_AT: usize = SLOTS_AT + SLOTS * 8
const LAST_SLOT: usize = SLOTS_AT + (SLOTS - 1) * 8
const LINE_FEED: u32 = 0x0a
const LETTERS: usize = WORDS + 1

/** A gram: `low`, `high`, its slot. */
const GRAM: usize = 12

/** Where words are written, how many characters they have; and both without the apostrophes at the end, if no word goes on. */
let out: usize = 0
let length = 0
let gapOut: usize = 0
let gapLength = 0
/** Characters of the sample that are still to be read. */
let left = 0
let gramsEnd: usize = 0
/** What was read to have it near. */
let seen: u32 = 0

/** The number of the language, or `NO_LANGUAGE`; `NOT_LATIN`: somebody else has to find it. */
export function language(text: usize, bytes: u32): i32 {
  if (!readSample(text, text + bytes)) return NOT_LATIN
  if (out > LETTERS && load<u8>(out - 1) == SPACE) out--
  if (letterCount() < MIN_LETTERS) return NO_LANGUAGE
  store<u8>(WORDS, SPACE)
  store<u8>(out++, SPACE)
  findGrams()
  lookUp()
  return mostLikely()
}

/** False: not all is Latin. */
function readSample(text: usize, end: usize): bool {
  out = gapOut = LETTERS
  length = gapLength = 0
  left = SAMPLE_CHARS
  for (let start = text; start < end && left > 0; ) {
    // It may be too far into the text: characters would have to be counted.
    if (<i32>(start - text) >= MAX_SEARCH_CHARS) return false
    // What lies behind is no document's end, at which `find` would stop by itself.
    const lineEnd = min(find(LINE_FEED, start, end), end)
    if (isParagraph(start, lineEnd)) {
      if (!readCharacters(start, lineEnd)) return false
      if (isEnough()) return true
      if (left > 0) endWord()
      left -= i32(left > 0)
    }
    start = lineEnd + 1
  }
  return left < SAMPLE_CHARS || readCharacters(text, end)
}

@inline function isEnough(): bool {
  return length > ENOUGH_BYTES
}

@inline function isParagraph(start: usize, end: usize): bool {
  const bytes = <i32>(end - start)
  return bytes >= PARAGRAPH_CHARS && (bytes >= 3 * PARAGRAPH_CHARS || hasCharacters(start, end))
}

function hasCharacters(start: usize, end: usize): bool {
  let count = 0
  // Beyond the basic plane one counts for two.
  for (let at = start; at < end; at++) count += i32(load<i8>(at) >= -0x40) + i32(load<u8>(at) >= 0xf0)
  return count >= PARAGRAPH_CHARS
}

function readCharacters(from: usize, end: usize): bool {
  for (let at = from; at < end && left > 0 && !isEnough(); left--) {
    const first = <i32>load<u8>(at)
    let code = first
    if (first < 0x80) at++
    else if (first < 0xe0) {
      code = ((first & 0x1f) << 6) | (<i32>load<u8>(at, 1) & 0x3f)
      at += 2
    } else {
      if (first >= 0xf0) return false
      code = ((first & 0xf) << 12) | ((<i32>load<u8>(at, 1) & 0x3f) << 6) | (<i32>load<u8>(at, 2) & 0x3f)
      at += 3
    }
    const letter = code < LATIN_END ? <i32>load<u16>(LATIN_LETTERS + code * 2) : 0
    if (letter > 1) {
      append(letter)
      gapOut = out
      gapLength = length
    } else if (letter == 1 || (code >= LATIN_END && (code < PUNCTUATION || code >= PUNCTUATION_END))) return false
    else if (code == 0x27 || code == 0x60 || code == 0x2019) append(code)
    else endWord()
  }
  return true
}

/** All that is no letter up to here, apostrophes too, becomes one space. */
@inline function endWord(): void {
  out = gapOut
  length = gapLength
  if (out == LETTERS || load<u8>(out - 1) == SPACE) return
  store<u8>(out++, SPACE)
  gapOut = out
  gapLength = ++length
}

@inline function append(code: i32): void {
  length++
  if (code < 0x80) {
    store<u8>(out++, code)
    return
  }
  if (code < 0x800) store<u8>(out++, 0xc0 | (code >> 6))
  else {
    store<u8>(out++, 0xe0 | (code >> 12))
    store<u8>(out++, 0x80 | ((code >> 6) & 0x3f))
  }
  store<u8>(out++, 0x80 | (code & 0x3f))
}

/** What has three bytes here counts as the letters that it does not tell apart from. */
function letterCount(): i32 {
  let count = 0
  for (let at = LETTERS; at < out && count < MIN_LETTERS; at++) {
    const byte = load<u8>(at)
    if (byte != SPACE && (byte & 0xc0) != 0x80) count += byte >= 0xe0 ? 4 : 1
  }
  return count
}

function findGrams(): void {
  gramsEnd = GRAMS
  let total: usize = 0
  for (let start = LETTERS; start < out && total <= <usize>MAX_WORD_BYTES; ) {
    let end = min(find(SPACE, start, out), out)
    if (total + end - start > <usize>MAX_BYTES) end = start + <usize>MAX_BYTES - total
    total += end - start + 1
    gramsOfWord(start, end)
    start = end + 1
  }
}

@inline function gramsOfWord(start: usize, wordEnd: usize): void {
  const end = min(wordEnd, start + <usize>MAX_GRAM_SPAN)
  let at = start
  for (; at + 4 < end; at += 3) addGram(at == start ? start - 1 : at, at + 4)
  const tail = end - start == 3 ? start : max(start, end - 4)
  addGram(at == start ? start - 1 : tail, wordEnd + 1)
}

@inline function addGram(from: usize, to: usize): void {
  const size = to - from
  if (size > 6 || (size == 6 && load<u8>(to - 1) != SPACE)) return
  const unused: u32 = size < 4 ? 32 - <u32>size * 8 : 0
  const high = size > 4 ? <u32>load<u8>(from, 4) : 0
  store<u32>(gramsEnd, (load<u32>(from) << unused) >> unused)
  store<u32>(gramsEnd, size == 6 ? high | LAST_SPACE : high, 4)
  gramsEnd += GRAM
}

/** Looks at all slots, then at all scores, so that they come from memory together and not each after the other. */
function lookUp(): void {
  let all: u32 = 0
  for (let gram: usize = GRAMS; gram < gramsEnd; gram += GRAM) {
    const mixed = (load<u32>(gram) ^ ((load<u32>(gram, 4) + 1) * 0x9e3779b1)) * 0x85ebca6b
    const home = SLOTS_AT + <usize>((mixed ^ (mixed >> 15)) & (SLOTS - 1)) * 8
    all |= load<u32>(home)
    store<u32>(gram, home, 8)
  }
  for (let gram: usize = GRAMS; gram < gramsEnd; gram += GRAM) {
    const slot = slotOf(load<u32>(gram, 8), load<u32>(gram), load<u32>(gram, 4))
    const rest = load<u32>(slot, 4)
    store<u32>(gram, slot, 8)
    all |= load<u16>(SCORES_AT + ((rest & ALONE) == 0 ? (rest >> VALUE_SHIFT) * 2 : 0))
  }
  seen = all
}

@inline function slotOf(home: usize, low: u32, high: u32): usize {
  let slot = home
  while (load<u32>(slot, 4) != 0 && (load<u32>(slot) != low || (load<u32>(slot, 4) & HIGH_MASK) != high))
    slot = slot == LAST_SLOT ? SLOTS_AT : slot + 8
  return slot
}

function mostLikely(): i32 {
  memory.fill(SPOKEN, 0, SPOKEN_SLOTS * 4)
  memory.fill(LANGUAGE_SUMS, 0, MAX_LANGUAGES * 4)
  for (let gram: usize = GRAMS; gram < gramsEnd; gram += GRAM) {
    const slot = <usize>load<u32>(gram, 8)
    const rest = load<u32>(slot, 4)
    if (rest == 0 || hasSpoken(slot)) continue
    const value = rest >> VALUE_SHIFT
    if ((rest & ALONE) != 0) addScore(value)
    else {
      const count = SCORES_AT + value * 2
      const last = count + <usize>load<u16>(count) * 2
      for (let at = count + 2; at <= last; at += 2) addScore(load<u16>(at))
    }
  }
  let best: i32 = NO_LANGUAGE
  let most: i32 = 0
  for (let i = 0; i < MAX_LANGUAGES; i++) {
    const sum = load<i32>(LANGUAGE_SUMS + i * 4)
    if (sum > most) {
      most = sum
      best = i
    }
  }
  return best
}

@inline function addScore(score: u32): void {
  const sum = <usize>LANGUAGE_SUMS + (score >> 8) * 4
  store<i32>(sum, load<i32>(sum) + (score & 0xff) + BASE_SCORE)
}

@inline function hasSpoken(slot: usize): bool {
  let at = (slot >> 3) & (SPOKEN_SLOTS - 1)
  let before: u32 = 0
  while ((before = load<u32>(SPOKEN + at * 4)) != 0 && before != slot) at = (at + 1) & (SPOKEN_SLOTS - 1)
  store<u32>(SPOKEN + at * 4, slot)
  return before != 0
}
