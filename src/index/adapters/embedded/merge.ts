import type { Database } from '../../../embedded/database.ts'
import { type MergedSegment, mergedParts } from './merged-parts.ts'
import { PartWriter, partOf } from './segment-part.ts'
import { addSegment, documentsOf, liveIds, type Segment, type SegmentDocuments } from './segments.ts'

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
  readonly #parts: Iterator<Uint8Array>
  readonly #documents: SegmentDocuments
  readonly #writer: PartWriter

  constructor(database: Database, inputs: readonly Segment[], id: number, level: number) {
    this.#database = database
    this.inputs = inputs
    this.id = id
    this.#level = level
    const { merged, documents } = openInputs(database, inputs)
    this.#parts = mergedParts(merged)
    this.#documents = documents
    this.#writer = new PartWriter(database, id)
  }

  /** Writes some `bytes` more, at least one part. Answers whether all is merged. */
  step(bytes: number): boolean {
    for (let written = 0; written < bytes; ) {
      const part = this.#parts.next()
      if (part.done) return true
      written += this.#writer.write(part.value)
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
}

function openInputs(database: Database, segments: readonly Segment[]) {
  const merged: MergedSegment[] = []
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
    merged.push({ parts: partsOf(database, segment), shift, ordinals })
  }
  return { merged, documents: { ids: Uint32Array.from(ids), lengths: Uint32Array.from(lengths) } }
}

function* partsOf(database: Database, { id, parts }: Segment): Generator<Uint8Array> {
  for (let part = 0; part < parts; part++) yield partOf(database, id, part)
}
