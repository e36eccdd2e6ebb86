import type { Database } from '../../../embedded/database.ts'
import type { Span } from './part-buffer.ts'
import { entriesFrom, partWith } from './segment-part.ts'
import { documentsOf, type Segment } from './segments.ts'
import { compareToken, type Source, type Token } from './source.ts'

export function segmentSource(database: Database, segment: Segment): Source {
  const { ids, lengths } = documentsOf(database, segment)

  function* postings(token: Token): Generator<readonly Span[]> {
    let word: Span | undefined
    let found: Span[] = []
    for (const entry of entriesFrom(database, segment, partWith(database, segment, token.bytes))) {
      const order = compareToken(entry.word, token)
      if (order > 0) break
      if (order < 0) continue
      if (word && !isEqual(word, entry.word)) {
        yield found
        found = []
      }
      word = entry.word
      found.push(entry.postings)
    }
    if (found.length > 0) yield found
  }

  return {
    documents: segment.documents,
    postings,
    idOf: (ordinal) => segment.first + ids[ordinal]!,
    lengthOf: (ordinal) => lengths[ordinal]!,
  }
}

function isEqual(a: Span, b: Span): boolean {
  return compareToken(a, { bytes: b.bytes.subarray(b.start, b.end), openEnd: false }) === 0
}
