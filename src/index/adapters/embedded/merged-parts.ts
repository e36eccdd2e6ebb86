import { type Entry, entryAt, PartBuffer, partBytes, type Span } from './part-buffer.ts'
import { PostingsJoin } from './postings.ts'
import { mergedInWasm } from './wasm/wasm-merged-parts.ts'

/** A segment that is merged with others. */
export interface MergedSegment {
  /** In order; read when it is their turn. */
  readonly parts: Iterator<Uint8Array>
  /** What its ordinals become: higher by this, or each as the table says, if some of its documents are gone. */
  readonly shift: number
  readonly ordinals: Int32Array | undefined
}

/** The parts of what segments become, each valid until the next. Where documents are gone it is done in TypeScript. */
export function mergedParts(segments: readonly MergedSegment[]): Iterator<Uint8Array> {
  const allLive = segments.every(({ ordinals }) => ordinals === undefined)
  return (allLive && mergedInWasm(segments)) || mergedInTypeScript(segments)
}

interface Input extends MergedSegment {
  entry: Entry | undefined
}

/** Where a word stands in the first, then in the second, and so on, mostly copied as it is. */
export function* mergedInTypeScript(segments: readonly MergedSegment[]): Generator<Uint8Array> {
  const inputs = segments.map(inputOf)
  const join = new PostingsJoin()
  const buffer = new PartBuffer()

  function endEntry(word: Span): void {
    const { bytes, used, last } = join
    if (used > 0) buffer.add({ word, lastOrdinal: last, postings: { bytes, start: 0, end: used } })
    join.clear()
  }

  for (let word = leastWord(inputs); word; word = leastWord(inputs)) {
    for (const input of inputs)
      while (input.entry && compare(input.entry.word, word) === 0) {
        const { postings, lastOrdinal } = input.entry
        if (input.ordinals) join.appendSome(postings, input.ordinals)
        else join.append(postings, lastOrdinal, input.shift)
        input.entry = nextEntry(input)
        if (join.used >= partBytes) endEntry(word)
        if (buffer.isFull) yield buffer.take()
      }
    endEntry(word)
    if (buffer.isFull) yield buffer.take()
  }
  if (!buffer.isEmpty) yield buffer.take()
}

function inputOf(segment: MergedSegment): Input {
  return { ...segment, entry: firstEntry(segment.parts) }
}

function nextEntry({ entry, parts }: Input): Entry | undefined {
  const { bytes, end } = entry!.postings
  return end < bytes.length ? entryAt(bytes, end) : firstEntry(parts)
}

/** Of the next part. */
function firstEntry(parts: Iterator<Uint8Array>): Entry | undefined {
  const part = parts.next()
  return part.done ? undefined : entryAt(part.value, 0)
}

function leastWord(inputs: readonly Input[]): Span | undefined {
  let least: Span | undefined
  for (const { entry } of inputs) if (entry && (!least || compare(entry.word, least) < 0)) least = entry.word
  return least
}

function compare(a: Span, b: Span): number {
  let atA = a.start
  let atB = b.start
  while (atA < a.end && atB < b.end) {
    const difference = a.bytes[atA++]! - b.bytes[atB++]!
    if (difference !== 0) return difference
  }
  return a.end - atA - (b.end - atB)
}
