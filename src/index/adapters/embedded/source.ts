import type { Span } from './part-buffer.ts'

/** A word that is asked for, in bytes; `openEnd`: it may go on. */
export interface Token {
  readonly bytes: Uint8Array
  readonly openEnd: boolean
}

/** Some documents with the places of their words: a segment, or what is not yet in one. */
export interface Source {
  readonly documents: number
  /** For each word that the token fits: where it stands, in order of the documents. */
  postings(token: Token): Iterable<readonly Span[]>
  idOf(ordinal: number): number
  /** In words. */
  lengthOf(ordinal: number): number
}

/** 0: the token fits the word; below, above: it comes before or behind all words that it fits. */
export function compareToken(word: Span, { bytes, openEnd }: Token): number {
  const length = word.end - word.start
  const common = Math.min(length, bytes.length)
  for (let i = 0; i < common; i++) {
    const difference = word.bytes[word.start + i]! - bytes[i]!
    if (difference !== 0) return difference
  }
  if (length < bytes.length) return -1
  return length === bytes.length || openEnd ? 0 : 1
}
