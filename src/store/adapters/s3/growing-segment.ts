import { type Span, type TailChunk, takenIn } from './chunks.ts'
import { chunkKey } from './segment-name.ts'

/** What is stored as one: the records of an exchange, with the line of the response for the index. */
interface Entry {
  readonly members: Buffer
  readonly line: string
}

/** In S3, but small: it is kept in memory too, until it has become part of a larger one. */
interface HeldChunk extends TailChunk {
  readonly warc: Buffer
  readonly lines: Buffer
}

/** A chunk on its way to S3: its object is `warc`, then the index lines of what is in it. */
export interface OutgoingChunk extends HeldChunk {
  readonly key: string
  readonly body: Buffer
  /** How much of it S3 has not had before. */
  readonly newBytes: number
  readonly entries: number
  /** How many of the held ones are in it. */
  readonly takes: number
}

/** More than this goes in several chunks. */
const MAX_NEW_BYTES = 16 * 1024 * 1024

/**
 * The segment that is being written, as far as it is in memory: what waits, and the small chunks behind the last one that
 * is large enough to be a part. A chunk always ends with an exchange, so no reader ever sees half of one.
 */
export class GrowingSegment {
  readonly file: string
  readonly warcinfoId: string
  readonly #partBytes: number
  #waiting: Entry[] = []
  #waitingBytes = 0
  #held: HeldChunk[] = []
  #bytes = 0
  #indexBytes = 0
  /** Nothing is appended any more. */
  closed = false

  constructor(file: string, warcinfoId: string, partBytes: number) {
    this.file = file
    this.warcinfoId = warcinfoId
    this.#partBytes = partBytes
  }

  /** With what still waits. */
  get bytes(): number {
    return this.#bytes
  }

  get indexBytes(): number {
    return this.#indexBytes
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Copies them: the memory is its caller's again. */
  append(parts: readonly Buffer[], line: string): number {
    const members = Buffer.concat(parts)
    this.#waiting.push({ members, line })
    this.#waitingBytes += members.length
    this.#bytes += members.length
    this.#indexBytes += line.length
    return members.length
  }

  /** The next chunk to write; nothing changes before it is `written`. `undefined`: nothing waits. */
  nextChunk(): OutgoingChunk | undefined {
    if (this.#waiting.length === 0) return undefined
    const { entries, newBytes } = this.#nextEntries()
    const { count, level } = takenIn(this.#held, newBytes, this.#partBytes)
    const taken = this.#held.slice(this.#held.length - count)
    const start = this.#bytes - this.#waitingBytes
    const span: Span = { first: taken[0]?.first ?? start, end: start + newBytes }
    const warc = [...taken.map((chunk) => chunk.warc), ...entries.map((entry) => entry.members)]
    const lines = [...taken.map((chunk) => chunk.lines), Buffer.from(entries.map(({ line }) => line).join(''))]
    const body = Buffer.concat([...warc, ...lines])
    return {
      ...span,
      ...{ level, newBytes, body, takes: count, entries: entries.length },
      key: chunkKey({ segment: this.file, ...span }),
      warc: body.subarray(0, span.end - span.first),
      lines: body.subarray(span.end - span.first),
    }
  }

  #nextEntries(): { readonly entries: readonly Entry[]; readonly newBytes: number } {
    let newBytes = 0
    let count = 0
    while (count < this.#waiting.length && newBytes < MAX_NEW_BYTES) newBytes += this.#waiting[count++]!.members.length
    return { entries: this.#waiting.slice(0, count), newBytes }
  }

  /** S3 has the chunk. Answers those that are in it and can go. */
  written(chunk: OutgoingChunk): readonly string[] {
    const { entries, takes, newBytes, warc, lines, first, end, level } = chunk
    this.#waiting.splice(0, entries)
    this.#waitingBytes -= newBytes
    const gone = this.#held.splice(this.#held.length - takes)
    if (end - first < this.#partBytes) this.#held.push({ warc, lines, first, end, level })
    return gone.map((span) => chunkKey({ segment: this.file, ...span }))
  }

  /** Bytes that are still in memory. `undefined`: they are in S3, or nowhere. */
  bytesAt(offset: number, length: number): Buffer | undefined {
    const end = offset + length
    const held = this.#held.find((chunk) => chunk.first <= offset && end <= chunk.end)
    if (held) return held.warc.subarray(offset - held.first, end - held.first)
    return end > this.#bytes ? undefined : this.#waitingBytesAt(offset, end)
  }

  #waitingBytesAt(offset: number, end: number): Buffer | undefined {
    let first = this.#bytes - this.#waitingBytes
    if (offset < first) return undefined
    for (const { members } of this.#waiting) {
      if (end <= first + members.length) return members.subarray(offset - first, end - first)
      first += members.length
      if (offset < first) return undefined
    }
    return undefined
  }
}
