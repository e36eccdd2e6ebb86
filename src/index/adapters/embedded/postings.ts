import { copy, type Span } from './part-buffer.ts'
import { VarintReader, writeVarint } from './varint.ts'

/**
 * Where a word stands, as a row of varints: a document (its ordinal less that of the document before it; of the first one
 * the ordinal itself), then each of its places in it (the position less the one before it in the same column, of the
 * first one plus one), then the next document. The two lowest bits tell which it is: a column, or 3 for a document.
 */
export const documentItem = 3

/** Positions of a later column are beyond those of an earlier one, so that no phrase goes from one to another. */
export const columnBase = 1 << 28

/** By column: title, description, text. A word in the title counts as much as eight in the text. */
const WEIGHTS = [8, 3, 1]
const TITLE_ONLY = [8, 0, 0]

/** Adds to the frequency of each document what the places in it weigh; answers how many had nothing before. */
export function addFrequencies({ bytes, start, end }: Span, titleOnly: boolean, frequencies: Float32Array): number {
  const weights = titleOnly ? TITLE_ONLY : WEIGHTS
  const [title, description, text] = weights as [number, number, number]
  let documents = 0
  let ordinal = 0
  let sum = 0
  for (let at = start; at < end; ) {
    let item = bytes[at++]!
    const kind = item & 3
    if (item > 0x7f) {
      item &= 0x7f
      for (let shift = 7, byte = 0x80; byte > 0x7f; shift += 7) {
        byte = bytes[at++]!
        item |= (byte & 0x7f) << shift
      }
    }
    if (kind === documentItem) {
      if (sum > 0 && addTo(frequencies, ordinal, sum)) documents++
      ordinal += item >>> 2
      sum = 0
    } else sum += kind === 2 ? text : kind === 1 ? description : title
  }
  if (sum > 0 && addTo(frequencies, ordinal, sum)) documents++
  return documents
}

/** Whether it was nothing. */
function addTo(frequencies: Float32Array, ordinal: number, sum: number): boolean {
  const before = frequencies[ordinal]!
  frequencies[ordinal] = before + sum
  return before === 0
}

export const weightAt = (position: number) => WEIGHTS[Math.floor(position / columnBase)]!

/** Goes from place to place, in order. */
export class PlaceCursor {
  ordinal = 0
  position = -1
  readonly #bytes: Uint8Array
  readonly #end: number
  #at: number

  constructor({ bytes, start, end }: Span) {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
  }

  /** Whether there was one more. */
  next(): boolean {
    const bytes = this.#bytes
    let at = this.#at
    while (at < this.#end) {
      let item = bytes[at++]!
      const kind = item & 3
      if (item > 0x7f) {
        item &= 0x7f
        for (let shift = 7, byte = 0x80; byte > 0x7f; shift += 7) {
          byte = bytes[at++]!
          item |= (byte & 0x7f) << shift
        }
      }
      if (kind !== documentItem) {
        this.position = Math.max(this.position, kind * columnBase - 1) + (item >>> 2)
        this.#at = at
        return true
      }
      this.ordinal += item >>> 2
      this.position = -1
    }
    return false
  }
}

/** Writes one document after another; takes the documents of several, one behind the other. */
export class PostingsJoin {
  bytes = new Uint8Array(1 << 16)
  used = 0
  last = 0

  clear(): void {
    this.used = 0
    this.last = 0
  }

  /** All of `postings`, with ordinals higher by `shift`. */
  append(postings: Span, lastOrdinal: number, shift: number): void {
    const items = new VarintReader(postings.bytes, postings.start)
    const ordinal = (items.next() >>> 2) + shift
    this.#makeRoom(postings.end - postings.start + 5)
    this.used = writeVarint(this.bytes, this.used, ((ordinal - this.last) << 2) | documentItem)
    this.used = copy({ bytes: postings.bytes, start: items.at, end: postings.end }, this.bytes, this.used)
    this.last = lastOrdinal + shift
  }

  /** The documents of `postings` that `ordinals` gives a new ordinal. */
  appendSome(postings: Span, ordinals: Int32Array): void {
    this.#makeRoom(postings.end - postings.start + 5)
    const items = new VarintReader(postings.bytes, postings.start)
    let before = 0
    let ordinal = -1
    while (items.at < postings.end) {
      const item = items.next()
      if ((item & 3) === documentItem) {
        before += item >>> 2
        ordinal = ordinals[before]!
        if (ordinal < 0) continue
        // Room for documents that come to stand further from the one before them.
        this.#makeRoom(postings.end - items.at + 10)
        this.used = writeVarint(this.bytes, this.used, ((ordinal - this.last) << 2) | documentItem)
        this.last = ordinal
      } else if (ordinal >= 0) this.used = writeVarint(this.bytes, this.used, item)
    }
  }

  #makeRoom(bytes: number): void {
    if (this.used + bytes <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(this.used + bytes, 2 * this.bytes.length))
    larger.set(this.bytes.subarray(0, this.used))
    this.bytes = larger
  }
}
