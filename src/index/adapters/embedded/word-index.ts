import type { Database } from '../../../embedded/database.ts'
import { checksum, damaged } from './checked-blob.ts'
import { type Columns, DocumentLog } from './document-log.ts'
import { maxLogged } from './invert.ts'
import { readLog } from './log-source.ts'
import { Merging } from './merging.ts'
import { seal } from './seal.ts'

export interface WordIndexLimits {
  /** What one log holds before it becomes a segment: places of words, different words, documents. */
  readonly logPlaces: number
  readonly logWords: number
  readonly logDocuments: number
  /** How much is merged with each group of writes. */
  readonly mergedBytes: number
  /** How many segments of one size there may be before some of them are merged: seven at least. */
  readonly borneSegments: number
}

/**
 * Some hundred pages, so that a segment is written in a moment; and merging keeps up with what is added. A crawl of some ten
 * thousand pages merges nothing: a question takes 0.2 ms of CPU time more for each segment, a page 0.015 ms less.
 */
export const usualLimits: WordIndexLimits = {
  logPlaces: 1_000_000,
  logWords: 1 << 17,
  logDocuments: maxLogged,
  mergedBytes: 4 * 1024 * 1024,
  borneSegments: 32,
}

/**
 * Words of documents and where they stand. What is put goes into a log, of which each group of writes keeps what came
 * with it; a full log becomes a segment, and segments are merged.
 */
export class WordIndex {
  readonly #database: Database
  readonly #seed: () => number
  readonly #limits: WordIndexLimits
  readonly #merging: Merging
  readonly #log: DocumentLog
  /** The id of the first document of the log. */
  #first: number

  /** `seed` is asked for a number by chance. */
  constructor(database: Database, seed: () => number, limits: WordIndexLimits) {
    this.#database = database
    this.#seed = seed
    this.#limits = limits
    this.#merging = new Merging(database, limits.borneSegments)
    this.#log = new DocumentLog(seed())
    this.#first = this.#load()
  }

  /** After the log of an earlier run. */
  #load(): number {
    let first: number | undefined
    for (const row of readLog(this.#database)) {
      first ??= row.first
      if (first + this.#log.documents !== row.first || !this.#log.load(row, row.documents))
        throw damaged(`the log from document ${row.first} on`)
    }
    return first ?? nextDocument(this.#database)
  }

  /** Answers the id of the document, higher than all before it. */
  add(columns: Columns): number {
    if (this.#log.isCrowded) this.#log.read()
    if (this.#isFull()) this.#seal()
    this.#log.add(columns)
    return this.#first + this.#log.documents - 1
  }

  /** The row of the document is gone. */
  removed(id: number): void {
    this.#database
      .prepare("UPDATE word_segment SET removed = removed + 1 WHERE state = 'live' AND first <= ? AND last >= ?")
      .run(id, id)
  }

  /** Keeps what came since. */
  save(): void {
    const unsaved = this.#log.takeUnsaved()
    if (!unsaved) return
    const { first, documents, data } = unsaved
    this.#database
      .prepare('INSERT INTO word_log VALUES (?, ?, ?, ?)')
      .run(this.#first + first, documents, checksum(data), data)
  }

  /** A step towards fewer segments, for each group of writes. */
  tidy(): void {
    this.#merging.step(this.#limits.mergedBytes)
  }

  #isFull(): boolean {
    const { used, documents, words } = this.#log
    const { logPlaces, logDocuments, logWords } = this.#limits
    return used >= logPlaces || documents >= logDocuments || words.count >= logWords
  }

  #seal(): void {
    this.#log.read()
    seal(this.#database, this.#log, this.#first)
    this.#database.prepare('DELETE FROM word_log').run()
    this.#first += this.#log.documents
    this.#log.clear(this.#seed())
  }
}

/** No document of an earlier run had it, nor any that is gone but whose words are still here. */
function nextDocument(database: Database): number {
  const sql =
    'SELECT max((SELECT coalesce(max(id), 0) FROM document), (SELECT coalesce(max(last), 0) FROM word_segment)) AS id'
  return Number(database.prepare(sql).get()!.id) + 1
}
