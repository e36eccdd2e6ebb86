import type { Database } from '../../../embedded/database.ts'
import { Merge } from './merge.ts'
import { dropParts } from './segment-part.ts'
import { liveSegments, nextSegmentId, type Segment } from './segments.ts'

/** So many neighbours of a level that has too many become one of the next. */
const MERGED_AT_ONCE = 8
/** Those are not merged any more, so that a step, a question and a crash have a bounded cost. */
const MAX_LEVEL = 3
const DROPPED_PARTS_AT_ONCE = 64

/** Keeps segments few and free of documents that are gone, a step for each group of writes. */
export class Merging {
  readonly #database: Database
  readonly #borne: number
  #merge: Merge | undefined
  #dropped: number[]

  /** An earlier run may have ended in the middle of a merge. `borne`: so many segments of one level are left as they are. */
  constructor(database: Database, borne: number) {
    this.#database = database
    this.#borne = borne
    this.#dropped = database
      .prepare("SELECT id FROM word_segment WHERE state <> 'live'")
      .all()
      .map(({ id }) => id as number)
  }

  /** Writes no more than about `bytes`. */
  step(bytes: number): void {
    this.#clear()
    this.#merge ??= this.#begin()
    if (!this.#merge?.step(bytes)) return
    const inputs = new Set(this.#merge.inputs.map(({ id }) => id))
    const merged = this.#merge.finish(liveSegments(this.#database).filter(({ id }) => inputs.has(id)))
    if (!merged) this.#drop(this.#merge.id)
    this.#merge = undefined
    for (const id of inputs) this.#drop(id)
  }

  #begin(): Merge | undefined {
    const segments = liveSegments(this.#database)
    const inputs = nextInputs(segments, this.#borne)
    if (!inputs) return undefined
    const id = nextSegmentId(this.#database)
    // Marked before its first part is written, so that whoever opens this after a crash finds what to clear away.
    this.#database.prepare("INSERT INTO word_segment VALUES (?, 'growing', 0, 0, 0, 0, 0, 0, 0)").run(id)
    const level = inputs.length === 1 ? inputs[0]!.level : inputs[0]!.level + 1
    return new Merge(this.#database, inputs, id, level)
  }

  #drop(id: number): void {
    this.#database.prepare("UPDATE word_segment SET state = 'dropped' WHERE id = ?").run(id)
    this.#database.prepare('DELETE FROM word_segment_documents WHERE id = ?').run(id)
    this.#dropped.push(id)
  }

  #clear(): void {
    const id = this.#dropped[0]
    if (id === undefined || dropParts(this.#database, id, DROPPED_PARTS_AT_ONCE)) return
    this.#database.prepare('DELETE FROM word_segment WHERE id = ?').run(id)
    this.#dropped.shift()
  }
}

/** The oldest of the lowest level that has too many; else one that is mostly gone. In order of their documents. */
function nextInputs(segments: readonly Segment[], borne: number): readonly Segment[] | undefined {
  for (let level = 0; level < MAX_LEVEL; level++) {
    const equal = segments.filter((segment) => segment.level === level)
    if (equal.length > borne) return equal.slice(0, MERGED_AT_ONCE)
  }
  const gone = segments.find(({ removed, documents }) => removed * 2 > documents)
  return gone && [gone]
}
