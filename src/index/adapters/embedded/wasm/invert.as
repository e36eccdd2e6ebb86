import { CELLS, LENGTHS_AT, PART_AT } from './layout'
import { takeRoom } from './room'
import { sortedWord, sortWords } from './sort'
import { bytesOf, wordCount, wordEnd, wordStart } from './table'
import { documentItem, headerPlaces, maxPlaceBytes, partBytes, positionBits, wideNumber } from './tables'
import { longestHead, writeVarint } from './varint'

/**
 * The twin of `inverted-log.ts`: from which words are in a document to in which documents is a word. The places of each word
 * are counted, then written where those of the words before it end.
 */
const ORDINAL_SHIFT: u32 = positionBits + 2
const MAX_POSITION: u32 = (1 << positionBits) - 1
const COLUMNS: u32 = 3
const HEADER_BYTES: usize = headerPlaces * 2

/** By word: how many places it has; and where the next one goes, in the end where they end. */
let counts: usize = 0
let ends: usize = 0
let postings: usize = 0
let part: usize = 0
let nextPlace: u32 = 0

/** Answers where to put so many numbers, and behind them a byte for each document: 0 leaves it out. */
export function beginLog(places: u32, documents: u32): usize {
  return takeRoom(<usize>places * 2 + documents)
}

/** Answers how many documents were not left out. */
export function invertLog(numbers: usize, places: u32, documents: u32): u32 {
  const words = wordCount()
  const lengths = takeRoom(<usize>documents * 4)
  store<u32>(CELLS + LENGTHS_AT * 4, lengths)
  counts = takeRoom(<usize>words * 4)
  ends = takeRoom(<usize>words * 4)
  memory.fill(counts, 0, <usize>words * 4)
  walk(numbers, places, documents, 0)
  sortWords()
  let sum: u32 = 0
  let most: u32 = 0
  for (let i: u32 = 0; i < words; i++) {
    const word = sortedWord(i)
    const count = load<u32>(counts + word * 4)
    store<u32>(ends + word * 4, sum)
    sum += count
    most = max(most, count)
  }
  const written = takeRoom(<usize>sum * 4)
  for (let i: u32 = 0; i < words; i++) store<u32>(ends + i * 4, written + load<u32>(ends + i * 4) * 4)
  const live = walk(numbers, places, documents, lengths)
  postings = takeRoom(<usize>most * maxPlaceBytes + 8)
  part = takeRoom(<usize>partBytes + longestHead + <usize>most * maxPlaceBytes)
  nextPlace = 0
  return live
}

/** Counts the places of words, or, where there are `lengths` of documents to be written, writes them. */
function walk(numbers: usize, places: u32, documents: u32, lengths: usize): u32 {
  const end = numbers + <usize>places * 2
  const live = end
  let ordinal: u32 = 0
  let next = numbers
  for (let document: u32 = 0; document < documents; document++) {
    const isLive = load<u8>(live + document) != 0
    const header = next
    let length: u32 = 0
    next += HEADER_BYTES
    for (let column: u32 = 0; column < COLUMNS; column++) {
      const from = next
      next = min(from + <usize>load<u32>(header + column * 4) * 2, end)
      if (!isLive) continue
      if (lengths == 0) countPlaces(from, next)
      else length += writePlaces(from, next, (ordinal << ORDINAL_SHIFT) | (column << positionBits))
    }
    if (!isLive) continue
    if (lengths != 0) store<u32>(lengths + ordinal * 4, length)
    ordinal++
  }
  return ordinal
}

function countPlaces(from: usize, to: usize): void {
  const words = wordCount()
  let position: u32 = 0
  for (let at = from; at < to && position <= MAX_POSITION; at += 2, position++) {
    let number = <u32>load<u16>(at)
    if (number >= <u32>wideNumber) {
      at += 2
      number = ((number & 0xff) << 16) | load<u16>(at)
    }
    // Also what is left out, 0, is beyond all words.
    if (number - 1 >= words) continue
    const counter = counts + (number - 1) * 4
    store<u32>(counter, load<u32>(counter) + 1)
  }
}

/** Answers how many words there are. */
function writePlaces(from: usize, to: usize, base: u32): u32 {
  const words = wordCount()
  let position: u32 = 0
  for (let at = from; at < to; at += 2, position++) {
    let number = <u32>load<u16>(at)
    if (number >= <u32>wideNumber) {
      at += 2
      number = ((number & 0xff) << 16) | load<u16>(at)
    }
    if (number - 1 >= words || position > MAX_POSITION) continue
    const end = ends + (number - 1) * 4
    const place = load<u32>(end)
    store<u32>(place, base | position)
    store<u32>(end, place + 4)
  }
  return position
}

/** Writes entries up to `partBytes` or little more; answers how many bytes they have, 0 when there are no more. */
export function nextPart(): u32 {
  const words = wordCount()
  let at = part
  while (nextPlace < words && at - part < <usize>partBytes) {
    const word = sortedWord(nextPlace++)
    const count = load<u32>(counts + word * 4)
    // Only in documents that were left out.
    if (count == 0) continue
    const to = <usize>load<u32>(ends + word * 4)
    const size = writePostings(to - count * 4, to) - postings
    const wordBytes = wordEnd(word) - wordStart(word)
    store<u8>(at, wordBytes)
    memory.copy(at + 1, bytesOf() + wordStart(word), wordBytes)
    at = writeVarint(at + 1 + wordBytes, load<u32>(to - 4) >> ORDINAL_SHIFT)
    at = writeVarint(at, <u32>size)
    memory.copy(at, postings, size)
    at += size
  }
  store<u32>(CELLS + PART_AT * 4, part)
  return <u32>(at - part)
}

/** The twin of the one in `invert.ts`. */
function writePostings(from: usize, to: usize): usize {
  let out = postings
  let ordinal: u32 = 0
  let before: i32 = -1
  for (let at = from; at < to; at += 4) {
    const place = load<u32>(at)
    const document = place >> ORDINAL_SHIFT
    if (document != ordinal || at == from) {
      out = writeVarint(out, ((document - ordinal) << 2) | documentItem)
      ordinal = document
      before = -1
    }
    const column = <i32>((place >> positionBits) & 3)
    const position = <i32>(place & ((1 << ORDINAL_SHIFT) - 1))
    const start = (column << positionBits) - 1
    out = writeVarint(out, <u32>(((position - max(before, start)) << 2) | column))
    before = position
  }
  return out
}
