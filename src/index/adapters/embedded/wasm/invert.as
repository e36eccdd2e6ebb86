import { copy, copySlack } from './copy'
import { CELLS, LENGTHS_AT, PART_AT } from './layout'
import { takeRoom } from './room'
import { countAt, setCountAt, sortedWord, sortWords } from './sort'
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
const FEW_PLACES: u32 = 0x7f / maxPlaceBytes

/** By word: how many places it has; and where the next one goes. */
let counts: usize = 0
let ends: usize = 0
let postings: usize = 0
let part: usize = 0
/** The next word, in order, and its first place. */
let nextWord: u32 = 0
let nextPlace: usize = 0

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
    setCountAt(i, count)
    store<u32>(ends + word * 4, sum)
    sum += count
    most = max(most, count)
  }
  const written = takeRoom(<usize>sum * 4)
  for (let i: u32 = 0; i < words; i++) store<u32>(ends + i * 4, written + load<u32>(ends + i * 4) * 4)
  const live = walk(numbers, places, documents, lengths)
  postings = takeRoom(<usize>most * maxPlaceBytes + 8)
  part = takeRoom(<usize>partBytes + longestHead + <usize>most * maxPlaceBytes + copySlack)
  nextWord = 0
  nextPlace = written
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
  while (nextWord < words && at - part < <usize>partBytes) {
    const count = countAt(nextWord)
    const word = sortedWord(nextWord++)
    // Only in documents that were left out.
    if (count == 0) continue
    const from = nextPlace
    const to = (nextPlace += count * 4)
    at = writeWord(at, bytesOf() + wordStart(word), wordEnd(word) - wordStart(word))
    at = writeVarint(at, load<u32>(to - 4) >> ORDINAL_SHIFT)
    at = count <= FEW_PLACES ? writeFew(at, from, to) : writeMany(at, from, to)
  }
  store<u32>(CELLS + PART_AT * 4, part)
  return <u32>(at - part)
}

@inline function writeWord(at: usize, word: usize, bytes: u32): usize {
  store<u8>(at, bytes)
  copy(at + 1, word, bytes)
  return at + 1 + bytes
}

/** Postings whose size surely is a number of one byte. */
@inline function writeFew(at: usize, from: usize, to: usize): usize {
  const end = writePostings(at + 1, from, to)
  store<u8>(at, end - at - 1)
  return end
}

function writeMany(at: usize, from: usize, to: usize): usize {
  const size = writePostings(postings, from, to) - postings
  const start = writeVarint(at, <u32>size)
  memory.copy(start, postings, size)
  return start + size
}

/** The twin of the one in `invert.ts`. What nobody could foretell, whether a document or a column is another, is no jump. */
@inline function writePostings(to: usize, from: usize, end: usize): usize {
  let document = load<u32>(from) >> ORDINAL_SHIFT
  let out = writeVarint(to, (document << 2) | documentItem)
  let behind: u32 = 0
  for (let at = from; at < end; at += 4) {
    const place = load<u32>(at)
    const other = place >> ORDINAL_SHIFT
    const after = writeVarint(out, ((other - document) << 2) | documentItem)
    out = other == document ? out : after
    document = other
    // The place behind the one before, or the first of the column, whichever is the later.
    const least = max(behind, place & ~MAX_POSITION)
    behind = place + 1
    out = writeVarint(out, ((behind - least) << 2) | ((place >> positionBits) & 3))
  }
  return out
}
