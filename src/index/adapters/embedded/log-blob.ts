import type { NumberedWords } from './numbered-words.ts'

/** What one group of writes added to the log: new words, which have the next numbers, and documents. */
export interface LogPart {
  readonly words: readonly Uint8Array[]
  readonly numbers: Uint16Array
}

/** How many words (four bytes), how many bytes of words (four), a byte for the length of each, the words, the documents. */
const HEADER_BYTES = 8

export function logBlob(words: NumberedWords, firstWord: number, numbers: Uint16Array): Uint8Array {
  const count = words.count - firstWord
  const bytes = words.bytes.subarray(words.startOf(firstWord), words.startOf(words.count))
  const start = HEADER_BYTES + count + bytes.length
  const blob = new Uint8Array(start + numbers.byteLength)
  const header = new DataView(blob.buffer)
  header.setUint32(0, count, true)
  header.setUint32(4, bytes.length, true)
  for (let i = 0; i < count; i++) blob[HEADER_BYTES + i] = words.ends[firstWord + i]! - words.startOf(firstWord + i)
  blob.set(bytes, HEADER_BYTES + count)
  blob.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), start)
  return blob
}

export function parseLogBlob(blob: Uint8Array): LogPart {
  const header = new DataView(blob.buffer, blob.byteOffset)
  const count = header.getUint32(0, true)
  const start = HEADER_BYTES + count + header.getUint32(4, true)
  const words: Uint8Array[] = []
  for (let i = 0, at = HEADER_BYTES + count; i < count; i++) {
    const length = blob[HEADER_BYTES + i]!
    words.push(blob.subarray(at, at + length))
    at += length
  }
  // Copied, since it may begin at an odd byte.
  return { words, numbers: new Uint16Array(blob.slice(start).buffer) }
}
