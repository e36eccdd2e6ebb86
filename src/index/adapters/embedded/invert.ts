import { headerPlaces, type LoggedDocuments, wideNumber } from './log-format.ts'
import { documentItem } from './postings.ts'
import { writeVarint } from './varint.ts'

/** A place is one number: document, column, position. So this is how much one log can tell apart. */
export const positionBits = 19
const ORDINAL_SHIFT = positionBits + 2
export const maxLogged = 1 << (32 - ORDINAL_SHIFT)
/** In a column; words beyond are not searchable. */
const MAX_POSITION = (1 << positionBits) - 1

/** Of a word that is not asked for. */
const NOWHERE = 0xffffffff

/** Where words stand. */
export interface Inverted {
  /** By word: where its places end; they begin where those of the word before it end. */
  readonly ends: Uint32Array
  readonly places: Uint32Array
  /** By document that was not left out: how many words it has. */
  readonly lengths: Uint32Array
}

/**
 * From "which words are in a document" to "in which documents is a word". `rank`: by number in the log, which word is
 * meant, or −1 if none; `words`: how many there are. A sort by counting, in two passes. `room`: where places may be written.
 */
export function invert(log: LoggedDocuments, rank: Int32Array, words: number, room?: Uint32Array): Inverted {
  const ends = new Uint32Array(words)
  const lengths = new Uint32Array(log.documents)
  /** By number in the log: how many places it has; then where the next one goes. */
  const at = new Uint32Array(rank.length)
  eachColumn(log, (_, __, from, to) => count(log.numbers, from, to, at))
  for (let id = 0; id < rank.length; id++) if (rank[id]! >= 0) ends[rank[id]!]! += at[id]!
  let sum = 0
  for (let word = 0; word < words; word++) sum = ends[word]! += sum
  for (let id = 0; id < rank.length; id++) at[id] = rank[id]! < 0 ? NOWHERE : ends[rank[id]!]! - at[id]!
  const places = room && room.length >= sum ? room : new Uint32Array(sum)
  const documents = eachColumn(log, (ordinal, column, from, to) => {
    const base = (ordinal << ORDINAL_SHIFT) | (column << positionBits)
    lengths[ordinal]! += place(log.numbers, from, to, at, places, base)
  })
  return { ends, places, lengths: lengths.subarray(0, documents) }
}

/** Answers how many documents there were. */
function eachColumn(
  { numbers, documents, live }: LoggedDocuments,
  act: (ordinal: number, column: number, from: number, to: number) => void,
): number {
  let ordinal = 0
  let next = 0
  for (let document = 0; document < documents; document++) {
    const header = next
    next += headerPlaces
    for (let column = 0; column < 3; column++) {
      const from = next
      next += numbers[header + 2 * column]! | (numbers[header + 2 * column + 1]! << 16)
      if (live?.[document] !== 0) act(ordinal, column, from, next)
    }
    if (live?.[document] !== 0) ordinal++
  }
  return ordinal
}

function count(numbers: Uint16Array, from: number, to: number, counts: Uint32Array): void {
  for (let i = from, position = 0; i < to && position <= MAX_POSITION; i++, position++) {
    let number = numbers[i]!
    if (number >= wideNumber) number = ((number & 0xff) << 16) | numbers[++i]!
    if (number !== 0) counts[number - 1]!++
  }
}

/** Answers how many words there are. */
function place(
  numbers: Uint16Array,
  from: number,
  to: number,
  at: Uint32Array,
  places: Uint32Array,
  base: number,
): number {
  let position = 0
  for (let i = from; i < to; i++, position++) {
    let number = numbers[i]!
    if (number >= wideNumber) number = ((number & 0xff) << 16) | numbers[++i]!
    if (number === 0 || position > MAX_POSITION) continue
    const next = at[number - 1]!
    // Nor is there one for a number beyond all words.
    if (!(next < NOWHERE)) continue
    places[next] = base | position
    at[number - 1] = next + 1
  }
  return position
}

/** The last of `places` from `from` to `to` is of this document. */
export const lastOrdinal = ({ places }: Inverted, to: number) => places[to - 1]! >>> ORDINAL_SHIFT

/** Postings of a place take no more: two numbers of up to four bytes. */
export const maxPlaceBytes = 8

/**
 * Writes places as postings into `bytes`, where `maxPlaceBytes` for each suffice; answers where they end. Numbers of one or
 * two bytes, which are nearly all, are written without a jump: no processor could foretell it.
 */
export function writePostings(places: Uint32Array, from: number, to: number, bytes: Uint8Array, at: number): number {
  let end = at
  let ordinal = 0
  let before = ~places[from]!
  for (let i = from; i < to; i++) {
    const place = places[i]! | 0
    const column = (place >>> positionBits) & 3
    if ((place ^ before) >>> positionBits !== 0) {
      const of = place >>> ORDINAL_SHIFT
      if (of !== ordinal || i === from) {
        const item = ((of - ordinal) << 2) | documentItem
        const isLong = (0x7f - item) >>> 31
        bytes[end] = item | (isLong << 7)
        bytes[end + 1] = item >>> 7
        end += 1 + isLong
        ordinal = of
      }
      before = ((place & ~MAX_POSITION) - 1) | 0
    }
    const item = ((place - before) << 2) | column
    before = place
    if (item >= 0x4000) {
      end = writeVarint(bytes, end, item)
      continue
    }
    const isLong = (0x7f - item) >>> 31
    bytes[end] = item | (isLong << 7)
    bytes[end + 1] = item >>> 7
    end += 1 + isLong
  }
  return end
}
