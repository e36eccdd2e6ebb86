import type { Database } from '../../../embedded/database.ts'
import type { DocumentLog } from './document-log.ts'
import { PartWriter } from './segment-part.ts'
import { addSegment, liveIds, nextSegmentId, type Segment } from './segments.ts'

/**
 * Writes the documents of a log, of which the first has the id `first`, as a segment. Those that were replaced or removed
 * by now are left out. `undefined`: none is left.
 */
export function seal(database: Database, log: DocumentLog, first: number): Segment | undefined {
  const ids = [...liveIds(database, first, first + log.documents - 1)]
  if (ids.length === 0) return undefined
  const live = new Uint8Array(log.documents)
  for (const id of ids) live[id - first] = 1
  const numbers = log.numbers.subarray(0, log.used)
  const { lengths, parts } = log.words.inverted({ numbers, documents: log.documents, live })
  const id = nextSegmentId(database)
  const writer = new PartWriter(database, id)
  for (const part of parts) writer.write(part)
  const segment = {
    ...{ id, level: 0, first: ids[0]!, last: ids.at(-1)!, documents: ids.length, removed: 0 },
    ...{ words: lengths.reduce((sum, length) => sum + length, 0), parts: writer.parts },
  }
  addSegment(database, segment, { ids: Uint32Array.from(ids, (id) => id - ids[0]!), lengths })
  return segment
}
