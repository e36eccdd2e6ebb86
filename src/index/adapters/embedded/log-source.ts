import type { Database } from '../../../embedded/database.ts'
import { checked } from './checked-blob.ts'
import { invert, maxPlaceBytes, writePostings } from './invert.ts'
import { type LogPart, parseLogBlob } from './log-blob.ts'
import { headerPlaces } from './log-format.ts'
import type { Span } from './part-buffer.ts'
import { compareToken, type Source, type Token } from './source.ts'

interface LogRow extends LogPart {
  readonly first: number
  readonly documents: number
}

/** What the log holds, in order. */
export function* readLog(database: Database): Generator<LogRow> {
  for (const row of database.prepare('SELECT id, documents, checksum, data FROM word_log ORDER BY id').all()) {
    const first = row.id as number
    yield {
      ...parseLogBlob(checked(row, `the log from document ${first} on`)),
      first,
      documents: row.documents as number,
    }
  }
}

/** The newest documents, in which each of `tokens` is looked for at once. */
export function logSource(database: Database, tokens: readonly Token[]): Source & { readonly words: number } {
  const rows = [...readLog(database)]
  const words = rows.flatMap((row) => row.words)
  const numbers = joined(rows.map((row) => row.numbers))
  const documents = rows.reduce((sum, row) => sum + row.documents, 0)
  const wanted = new Int32Array(words.length).fill(-1)
  const found: Uint8Array[] = []
  for (const [i, word] of words.entries())
    if (tokens.some((token) => fits(word, token))) wanted[i] = found.push(word) - 1
  const inverted = invert({ numbers, documents: found.length === 0 ? 0 : documents }, wanted, found.length)

  function spanOf(word: number): Span {
    const [from, to] = [word === 0 ? 0 : inverted.ends[word - 1]!, inverted.ends[word]!]
    const bytes = new Uint8Array((to - from) * maxPlaceBytes)
    return { bytes, start: 0, end: writePostings(inverted.places, from, to, bytes, 0) }
  }

  return {
    documents,
    // The few that take two places count twice: not worth to read all for.
    words: numbers.length - headerPlaces * documents,
    *postings(token) {
      for (const [i, word] of found.entries()) if (fits(word, token)) yield [spanOf(i)]
    },
    idOf: (ordinal) => rows[0]!.first + ordinal,
    lengthOf: (ordinal) => inverted.lengths[ordinal]!,
  }
}

function fits(word: Uint8Array, token: Token): boolean {
  return compareToken({ bytes: word, start: 0, end: word.length }, token) === 0
}

function joined(parts: readonly Uint16Array[]): Uint16Array {
  const all = new Uint16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
