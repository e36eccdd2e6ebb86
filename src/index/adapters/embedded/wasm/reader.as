import {
  BY_RUN, CELLS, FOLDED, FOLDED_BYTES, KIND_MASK, NUMBERS_AT, PLAIN, SPACELESS, UNIT_BYTES, UNITS, UNKNOWN,
} from './layout'
import { movedTo, takeRoom } from './room'
import { maxWordBytes, wideNumber } from './tables'
import { areMany, find, numberAt, wait, waitFor, waitForNone } from './waiting'

/**
 * The twin of `indexedText` and `WordTable.numbersOf` in one: text in well-formed UTF-8 becomes numbers of words. ASCII is
 * read 64 bytes at a time: which of them belong to words is a number with a bit for each. Characters beyond it become what
 * the table of units says, which TypeScript fills.
 */
const KEPT_PLACES: u32 = 1 << 18
/** `readAscii` reads so many, also where the text ends before. */
const CHUNK_BYTES: u32 = 64
/** In memory, since the compiler of the host would make constants anew wherever they are used. */
const CONSTANTS = memory.data<u8>([0x20, 0x80 - 0x61, 0x80 + 26, 0x80 - 0x30, 0x80 + 10])

let text: usize = 0
let textRoom: u32 = 1 << 16
let numbers: usize = 0
let numbersRoom: u32 = 1 << 16
let next: usize = 0
let numbersEnd: usize = 0
/** Where what is folded ends, and where the word begins that it ends with. */
let foldedEnd: usize = FOLDED
let word: usize = FOLDED

/** After all room was given back. */
export function clearReader(): void {
  textRoom = min(textRoom, KEPT_PLACES)
  numbersRoom = min(numbersRoom, KEPT_PLACES)
  text = takeRoom(textRoom)
  numbers = takeRoom(numbersRoom * 2)
  numbersEnd = numbers + numbersRoom * 2
}

/** Answers where to put a text of so many bytes. */
export function begin(textBytes: u32): usize {
  next = numbers
  word = foldedEnd = FOLDED
  waitForNone()
  if (textBytes + CHUNK_BYTES > textRoom) {
    textRoom = textBytes + CHUNK_BYTES
    text = takeRoom(textRoom)
  }
  return text
}

/** Reads up to `end`, or up to a run of characters beyond ASCII that the table of units does not suffice for; answers where. */
export function read(from: usize, end: usize): usize {
  let at = from
  while (at < end) {
    if (load<i8>(at) >= 0) {
      at = readAscii(at, end)
      continue
    }
    const runEnd = knownUpTo(at, end)
    if (runEnd == 0) return at
    readRun(at, runEnd)
    at = runEnd
  }
  return end
}

/** Reads what a run has become: in it, all beyond ASCII belongs to words. */
export function readFolded(from: usize, end: usize): void {
  for (let at = from; at < end; at++) {
    const byte = <u32>load<u8>(at)
    const lower = byte | 0x20
    makeRoom()
    if (byte >= 0x80 || byte - 0x30 < 10) append(byte)
    else if (lower - 0x61 < 26) append(lower)
    else endWord()
  }
}

/** Answers how many places the numbers took. */
export function finish(): u32 {
  endWord()
  addNumbers()
  store<u32>(CELLS + NUMBERS_AT * 4, numbers)
  return <u32>((next - numbers) >> 1)
}

function readAscii(at: usize, end: usize): usize {
  makeRoom()
  const folded = foldedEnd
  const upper = v128.load8_splat(CONSTANTS)
  const beforeLetters = v128.load8_splat(CONSTANTS, 1)
  const letterCount = v128.load8_splat(CONSTANTS, 2)
  const beforeDigits = v128.load8_splat(CONSTANTS, 3)
  const digitCount = v128.load8_splat(CONSTANTS, 4)
  let letters: u64 = 0
  let others: u64 = 0
  for (let i: usize = 0; i < <usize>CHUNK_BYTES; i += 16) {
    const bytes = v128.load(at + i)
    const lower = v128.or(bytes, upper)
    const isLetter = i8x16.lt_s(i8x16.add(lower, beforeLetters), letterCount)
    const isDigit = i8x16.lt_s(i8x16.add(bytes, beforeDigits), digitCount)
    v128.store(folded + i, v128.bitselect(lower, bytes, isLetter))
    letters |= <u64><u32>i8x16.bitmask(v128.or(isLetter, isDigit)) << i
    others |= <u64><u32>i8x16.bitmask(bytes) << i
  }
  const length = min<u64>(ctz(others), end - at)
  const read = length == CHUNK_BYTES ? -1 : (<u64>1 << length) - 1
  letters &= read
  const goesOn = word != folded
  const before = (letters << 1) | u64(goesOn)
  let starts = letters & ~before
  if (!goesOn) {
    word = folded + <usize>ctz(starts)
    starts &= starts - 1
  }
  foldedEnd = folded + <usize>length
  // Where no word begins any more, one may with what comes next.
  word = min(wait(word, folded, starts, ~letters & before & read), foldedEnd)
  return at + <usize>length
}

/** The end of a run of which every character has its unit; 0: one has not. */
function knownUpTo(from: usize, end: usize): usize {
  let at = from
  while (at < end) {
    const lead = <u32>load<u8>(at)
    if (lead < 0x80) break
    if (lead >= 0xf0) return 0
    const kind = <u32>load<u8>(unitAt(at, lead)) & KIND_MASK
    if (kind == UNKNOWN || kind == BY_RUN) return 0
    at += lead < 0xe0 ? 2 : 3
  }
  return at
}

/** Of a character of two or three bytes. */
@inline function unitAt(at: usize, lead: u32): usize {
  const second = <u32>load<u8>(at, 1) & 0x3f
  const code =
    lead < 0xe0 ? ((lead & 0x1f) << 6) | second : ((lead & 0x0f) << 12) | (second << 6) | (<u32>load<u8>(at, 2) & 0x3f)
  return UNITS + code * UNIT_BYTES
}

/** The twin of `indexedRun`. */
function readRun(from: usize, end: usize): void {
  /** The unit before this one, if it is of a script without spaces: both are a word. */
  let before: usize = 0
  for (let at = from; at < end; ) {
    makeRoom()
    const lead = <u32>load<u8>(at)
    const unit = unitAt(at, lead)
    at += lead < 0xe0 ? 2 : 3
    const head = <u32>load<u8>(unit)
    if (head == PLAIN) continue
    if ((head & KIND_MASK) == SPACELESS) {
      if (before == 0) endWord()
      else endPair(before, unit)
      before = unit
      continue
    }
    if (before != 0) endPair(before, 0)
    before = 0
    appendUnit(unit)
  }
  if (before != 0) endPair(before, 0)
}

function endPair(unit: usize, following: usize): void {
  appendUnit(unit)
  if (following != 0) appendUnit(following)
  endWord()
}

function appendUnit(unit: usize): void {
  const end = unit + 1 + (<u32>load<u8>(unit) >> 2)
  for (let at = unit + 1; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (byte == 0) endWord()
    else append(byte)
  }
}

@inline function append(byte: u32): void {
  store<u8>(foldedEnd++, byte)
}

@inline function endWord(): void {
  if (word != foldedEnd) waitFor(word, foldedEnd)
  word = foldedEnd
}

/** For as much as comes at once. Of a word that goes on no more is kept than it may have. */
@inline function makeRoom(): void {
  if (foldedEnd >= <usize>FOLDED + FOLDED_BYTES || areMany()) emptyFolded()
}

function emptyFolded(): void {
  addNumbers()
  const kept = min(foldedEnd - word, <usize>maxWordBytes)
  memory.copy(FOLDED, word, kept)
  word = FOLDED
  foldedEnd = word + kept
}

/** Of all that wait. */
function addNumbers(): void {
  const count = find()
  if (next + count * 4 > numbersEnd) growNumbers()
  let place = next
  for (let i: u32 = 0; i < count; i++) {
    const number = numberAt(i)
    let low = number
    if (number >= <u32>wideNumber) {
      store<u16>(place, wideNumber | (number >> 16))
      place += 2
      low = number & 0xffff
    }
    store<u16>(place, low)
    place += 2
  }
  next = place
}

function growNumbers(): void {
  const used = next - numbers
  numbersRoom *= 2
  numbers = movedTo(numbers, used, numbersRoom * 2)
  next = numbers + used
  numbersEnd = numbers + numbersRoom * 2
}
