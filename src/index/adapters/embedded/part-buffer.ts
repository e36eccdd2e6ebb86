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
const LONGEST_HEAD = 1 + 255 + 5 + 5

/**
 * A part of a segment: entries, one behind the other. An entry: the length of the word in a byte, the word, the last
 * document, the length of the postings, the postings.
 */
export class PartBuffer {
  #bytes = new Uint8Array(partBytes + 8192)
  #used = 0

  get isEmpty(): boolean {
    return this.#used === 0
  }

  get isFull(): boolean {
    return this.#used >= partBytes
  }

  add({ word, lastOrdinal, postings }: Entry): void {
    const size = postings.end - postings.start
    this.#bytes = withRoom(this.#bytes, this.#used + LONGEST_HEAD + size)
    const bytes = this.#bytes
    bytes[this.#used] = word.end - word.start
    let at = copy(word, bytes, this.#used + 1)
    at = writeVarint(bytes, at, lastOrdinal)
    at = writeVarint(bytes, at, size)
    this.#used = copy(postings, bytes, at)
  }

  /** What it holds, valid until something is added; then it is empty. */
  take(): Uint8Array {
    const data = this.#bytes.subarray(0, this.#used)
    this.#used = 0
    return data
  }
}

/** Answers where it ends. Most are shorter than it takes to set out for a faster way. */
export function copy({ bytes, start, end }: Span, to: Uint8Array, at: number): number {
  if (end - start > 64) to.set(bytes.subarray(start, end), at)
  else for (let i = start, j = at; i < end; ) to[j++] = bytes[i++]!
  return at + end - start
}

export function* entriesOf(part: Uint8Array): Generator<Entry> {
  for (let at = 0; at < part.length; ) {
    const entry = entryAt(part, at)
    at = entry.postings.end
    yield entry
  }
}

/** The one that begins there. */
export function entryAt(part: Uint8Array, at: number): Entry {
  const word = { bytes: part, start: at + 1, end: at + 1 + part[at]! }
  const rest = new VarintReader(part, word.end)
  const lastOrdinal = rest.next()
  const size = rest.next()
  return { word, lastOrdinal, postings: { bytes: part, start: rest.at, end: rest.at + size } }
}
