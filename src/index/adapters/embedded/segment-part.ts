import type { Database } from '../../../embedded/database.ts'
import { checked, checksum, damaged } from './checked-blob.ts'
import { type Entry, entriesOf } from './part-buffer.ts'

const PARTS = 2 ** 24

/** Writes the parts of a segment, in order. */
export class PartWriter {
  parts = 0
  readonly #database: Database
  readonly #segment: number

  constructor(database: Database, segment: number) {
    this.#database = database
    this.#segment = segment
  }

  /** Answers how many bytes it wrote. */
  write(data: Uint8Array): number {
    const id = this.#segment * PARTS + this.parts++
    this.#database
      .prepare('INSERT INTO word_part VALUES (?, ?, ?, ?)')
      .run(id, checksum(data), data.subarray(1, 1 + data[0]!), data)
    return data.length
  }
}

/** Reads the entries of a segment from one part on. */
export function* entriesFrom(
  database: Database,
  segment: { id: number; parts: number },
  part: number,
): Generator<Entry, undefined> {
  for (let n = part; n < segment.parts; n++) {
    yield* entriesOf(partOf(database, segment.id, n))
  }
}

export function partOf(database: Database, segment: number, part: number): Uint8Array {
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
