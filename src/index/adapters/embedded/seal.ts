import type { Database } from '../../../embedded/database.ts'
import type { DocumentLog } from './document-log.ts'
import { invert, lastOrdinal, maxPlaceBytes, writePostings } from './invert.ts'
import { PartWriter } from './segment-part.ts'
import { addSegment, liveIds, nextSegmentId, type Segment } from './segments.ts'
import { sortedWords } from './sorted-words.ts'
import { withRoom } from './varint.ts'

/**
 * Writes the documents of a log, of which the first has the id `first`, as a segment. Those that were replaced or removed
 * by now are left out. `undefined`: none is left. `room` is used again and again.
 */
export function seal(database: Database, log: DocumentLog, first: number, room?: Uint32Array): Segment | undefined {
  const ids = [...liveIds(database, first, first + log.documents - 1)]
  if (ids.length === 0) return undefined
  const live = new Uint8Array(log.documents)
  for (const id of ids) live[id - first] = 1
  const sorted = sortedWords(log.words)
  const rank = new Int32Array(sorted.length)
  for (let i = 0; i < sorted.length; i++) rank[sorted[i]!] = i
  const inverted = invert({ numbers: log.numbers, documents: log.documents, live }, rank, sorted.length, room)
  const id = nextSegmentId(database)
  const writer = new PartWriter(database, id)
  let postings = new Uint8Array(1 << 16)
  let from = 0
  for (let i = 0; i < sorted.length; i++) {
    const to = inverted.ends[i]!
    // Words of documents that were left out.
    if (to === from) continue
    postings = withRoom(postings, (to - from) * maxPlaceBytes)
    const end = writePostings(inverted.places, from, to, postings, 0)
    const word = { bytes: log.words.bytes, start: log.words.startOf(sorted[i]!), end: log.words.ends[sorted[i]!]! }
    writer.add({ word, lastOrdinal: lastOrdinal(inverted, to), postings: { bytes: postings, start: 0, end } })
    from = to
  }
  writer.flush()
  const { lengths } = inverted
  const segment = {
    ...{ id, level: 0, first: ids[0]!, last: ids.at(-1)!, documents: ids.length, removed: 0 },
    ...{ words: lengths.reduce((sum, length) => sum + length, 0), parts: writer.parts },
  }
  addSegment(database, segment, { ids: Uint32Array.from(ids, (id) => id - ids[0]!), lengths })
  return segment
}
