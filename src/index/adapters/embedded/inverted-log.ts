import { invert, lastOrdinal, maxPlaceBytes, writePostings } from './invert.ts'
import type { LoggedDocuments } from './log-format.ts'
import type { NumberedWords } from './numbered-words.ts'
import { PartBuffer } from './part-buffer.ts'
import { sortedWords } from './sorted-words.ts'
import { withRoom } from './varint.ts'

/** The words of a log, each with its places. */
export interface InvertedLog {
  /** By document that was not left out: how many words it has. */
  readonly lengths: Uint32Array
  /** Entries in the order of their words, in parts as a segment has them. Each is valid until the next. */
  readonly parts: Iterable<Uint8Array>
}

type Words = Pick<NumberedWords, 'count' | 'bytes' | 'ends' | 'startOf'>

/** `room`: where places may be written. */
export function invertedLog(words: Words, log: LoggedDocuments, room?: Uint32Array): InvertedLog {
  const sorted = sortedWords(words)
  const rank = new Int32Array(sorted.length)
  for (let i = 0; i < sorted.length; i++) rank[sorted[i]!] = i
  const inverted = invert(log, rank, sorted.length, room)

  function* parts(): Generator<Uint8Array> {
    const buffer = new PartBuffer()
    let postings = new Uint8Array(1 << 16)
    let from = 0
    for (let i = 0; i < sorted.length; i++) {
      const to = inverted.ends[i]!
      // Words of documents that were left out.
      if (to === from) continue
      postings = withRoom(postings, (to - from) * maxPlaceBytes)
      const end = writePostings(inverted.places, from, to, postings, 0)
      const word = { bytes: words.bytes, start: words.startOf(sorted[i]!), end: words.ends[sorted[i]!]! }
      buffer.add({ word, lastOrdinal: lastOrdinal(inverted, to), postings: { bytes: postings, start: 0, end } })
      if (buffer.isFull) yield buffer.take()
      from = to
    }
    if (!buffer.isEmpty) yield buffer.take()
  }

  return { lengths: inverted.lengths, parts: parts() }
}
