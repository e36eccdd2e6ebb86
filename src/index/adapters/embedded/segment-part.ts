import type { Database } from '../../../embedded/database.ts'
import { checked, checksum, damaged } from './checked-blob.ts'
import { VarintReader, withRoom, writeVarint } from './varint.ts'

/** Some bytes among others: a word, or postings. */
export interface Span {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
}

/** Where a word stands, or a part of that: a word with many places has several entries, one behind the other. */
export interface Entry {
  readonly word: Span
  /** The last document that it tells of. */
  readonly lastOrdinal: number
  readonly postings: Span
}

/** Enough that few rows are needed, and little that a question for a rare word reads too much. */
export const partBytes = 64 * 1024
const PARTS = 2 ** 24
const LONGEST_HEAD = 1 + 255 + 5 + 5

/**
 * Writes the entries of a segment, which come in the order of their words. An entry: the length of the word in a byte,
 * the word, the last document, the length of the postings, the postings.
 */
export class PartWriter {
  parts = 0
  readonly #database: Database
  readonly #segment: number
  #bytes = new Uint8Array(partBytes + 8192)
  #used = 0

  constructor(database: Database, segment: number) {
    this.#database = database
    this.#segment = segment
  }

  /** Answers how many bytes it wrote, if a part was full. */
  add({ word, lastOrdinal, postings }: Entry): number {
    const wordBytes = word.end - word.start
    const size = postings.end - postings.start
    this.#bytes = withRoom(this.#bytes, this.#used + LONGEST_HEAD + size)
    const bytes = this.#bytes
    bytes[this.#used] = wordBytes
    let at = copy(word, bytes, this.#used + 1)
    at = writeVarint(bytes, at, lastOrdinal)
    at = writeVarint(bytes, at, size)
    this.#used = copy(postings, bytes, at)
    return this.#used < partBytes ? 0 : this.flush()
  }

  flush(): number {
    if (this.#used === 0) return 0
    const data = this.#bytes.subarray(0, this.#used)
    const id = this.#segment * PARTS + this.parts++
    this.#database
      .prepare('INSERT INTO word_part VALUES (?, ?, ?, ?)')
      .run(id, checksum(data), data.subarray(1, 1 + data[0]!), data)
    this.#used = 0
    return data.length
  }
}

/** Most are shorter than it takes to set out for a faster way. */
function copy({ bytes, start, end }: Span, to: Uint8Array, at: number): number {
  if (end - start > 64) to.set(bytes.subarray(start, end), at)
  else for (let i = start, j = at; i < end; ) to[j++] = bytes[i++]!
  return at + end - start
}

/** Reads the entries of a segment from one part on. */
export function* entriesFrom(
  database: Database,
  segment: { id: number; parts: number },
  part: number,
): Generator<Entry, undefined> {
  for (let n = part; n < segment.parts; n++) {
    const bytes = partOf(database, segment.id, n)
    for (let at = 0; at < bytes.length; ) {
      const word = { bytes, start: at + 1, end: at + 1 + bytes[at]! }
      const rest = new VarintReader(bytes, word.end)
      const lastOrdinal = rest.next()
      const size = rest.next()
      const postings = { bytes, start: rest.at, end: rest.at + size }
      at = postings.end
      yield { word, lastOrdinal, postings }
    }
  }
}

function partOf(database: Database, segment: number, part: number): Uint8Array {
  const row = database.prepare('SELECT checksum, data FROM word_part WHERE id = ?').get(segment * PARTS + part)
  return checked(row, `part ${part} of segment ${segment}`)
}

/** The first part that may hold the word: the last one that begins before it. */
export function partWith(database: Database, segment: { id: number; parts: number }, word: Uint8Array): number {
  const firstWord = database.prepare('SELECT word FROM word_part WHERE id = ?')
  let low = 0
  let high = segment.parts
  while (low < high) {
    const middle = (low + high) >> 1
    const row = firstWord.get(segment.id * PARTS + middle)
    if (!(row?.word instanceof Uint8Array)) throw damaged(`part ${middle} of segment ${segment.id}`)
    if (Buffer.compare(row.word, word) < 0) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/** Takes away up to `count` parts from the end; answers whether any are left. */
export function dropParts(database: Database, segment: number, count: number): boolean {
  const ids = 'SELECT id FROM word_part WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?'
  const { changes } = database
    .prepare(`DELETE FROM word_part WHERE id IN (${ids})`)
    .run(segment * PARTS, (segment + 1) * PARTS, count)
  return Number(changes) === count
}
