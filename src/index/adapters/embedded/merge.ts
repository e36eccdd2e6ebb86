import type { Database } from '../../../embedded/database.ts'
import { type Entry, partBytes, type Span } from './part-buffer.ts'
import { PostingsJoin } from './postings.ts'
import { entriesFrom, PartWriter } from './segment-part.ts'
import { addSegment, documentsOf, liveIds, type Segment, type SegmentDocuments } from './segments.ts'

/** A segment that is merged into another. */
interface Input {
  readonly entries: Iterator<Entry, undefined>
  entry: Entry | undefined
  /** What its ordinals become: higher by this, or each as the table says, if some of its documents are gone. */
  readonly shift: number
  readonly ordinals: Int32Array | undefined
}

/**
 * Merges segments, given in order, into one, without the documents that are gone: where a word stands in the first, then in the
 * second, and so on, mostly copied as it is. A step at a time; whoever stops in between has written parts that nobody
 * reads.
 */
export class Merge {
  readonly id: number
  readonly inputs: readonly Segment[]
  readonly #database: Database
  readonly #level: number
  readonly #reading: Input[]
  readonly #documents: SegmentDocuments
  readonly #writer: PartWriter
  readonly #join = new PostingsJoin()

  constructor(database: Database, inputs: readonly Segment[], id: number, level: number) {
    this.#database = database
    this.inputs = inputs
    this.id = id
    this.#level = level
    const { reading, documents } = openInputs(database, inputs)
    this.#reading = reading
    this.#documents = documents
    this.#writer = new PartWriter(database, id)
  }

  /** Writes some `bytes` more, at least one part. Answers whether all is merged. */
  step(bytes: number): boolean {
    for (let written = 0; written < bytes; ) {
      const word = this.#nextWord()
      if (!word) {
        this.#writer.flush()
        return true
      }
      written += this.#mergeWord(word)
    }
    return false
  }

  /** After the last step: the segment that it became, or `undefined` if no document is left. `inputs`: as they are now. */
  finish(inputs: readonly Segment[]): Segment | undefined {
    const { ids, lengths } = this.#documents
    if (ids.length === 0) return undefined
    const first = this.inputs[0]!.first
    const since = inputs.reduce((sum, { removed }) => sum + removed, 0)
    const segment = {
      ...{ id: this.id, level: this.#level, first, last: first + ids.at(-1)!, documents: ids.length },
      removed: since - this.inputs.reduce((sum, { removed }) => sum + removed, 0),
      words: lengths.reduce((sum, length) => sum + length, 0),
      parts: this.#writer.parts,
    }
    addSegment(this.#database, segment, this.#documents)
    return segment
  }

  #nextWord(): Span | undefined {
    let least: Span | undefined
    for (const { entry } of this.#reading) if (entry && (!least || compare(entry.word, least) < 0)) least = entry.word
    return least
  }

  #mergeWord(word: Span): number {
    let written = 0
    this.#join.clear()
    for (const input of this.#reading)
      while (input.entry && compare(input.entry.word, word) === 0) {
        const { postings, lastOrdinal } = input.entry
        if (input.ordinals) this.#join.appendSome(postings, input.ordinals)
        else this.#join.append(postings, lastOrdinal, input.shift)
        input.entry = input.entries.next().value
        if (this.#join.used >= partBytes) written += this.#flushWord(word)
      }
    return written + this.#flushWord(word)
  }

  #flushWord(word: Span): number {
    const { bytes, used, last } = this.#join
    if (used === 0) return 0
    this.#join.clear()
    return this.#writer.add({ word, lastOrdinal: last, postings: { bytes, start: 0, end: used } })
  }
}

function openInputs(database: Database, segments: readonly Segment[]) {
  const reading: Input[] = []
  const ids: number[] = []
  const lengths: number[] = []
  const first = segments[0]!.first
  for (const segment of segments) {
    const shift = ids.length
    const documents = documentsOf(database, segment)
    const ordinals = segment.removed === 0 ? undefined : new Int32Array(segment.documents).fill(-1)
    const live = ordinals && new Set(liveIds(database, segment.first, segment.last))
    for (let ordinal = 0; ordinal < segment.documents; ordinal++) {
      const id = segment.first + documents.ids[ordinal]!
      if (live && !live.has(id)) continue
      if (ordinals) ordinals[ordinal] = ids.length
      ids.push(id - first)
      lengths.push(documents.lengths[ordinal]!)
    }
    const entries = entriesFrom(database, segment, 0)
    reading.push({ entries, entry: entries.next().value, shift, ordinals })
  }
  return { reading, documents: { ids: Uint32Array.from(ids), lengths: Uint32Array.from(lengths) } }
}

function compare(a: Span, b: Span): number {
  let [atA, atB] = [a.start, b.start]
  while (atA < a.end && atB < b.end) {
    const difference = a.bytes[atA++]! - b.bytes[atB++]!
    if (difference !== 0) return difference
  }
  return a.end - atA - (b.end - atB)
}
