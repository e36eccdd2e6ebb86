import type { InvertedLog } from './inverted-log.ts'
import type { LoggedDocuments } from './log-format.ts'
import { loadWordTable } from './wasm/wasm-word-table.ts'
import { WordTable } from './word-table.ts'

/** Distinct words, numbered in order of arrival. */
export interface NumberedWords {
  readonly count: number
  /** All words, one after another. Neither this nor `ends` outlives the next call that adds words. */
  readonly bytes: Uint8Array
  /** By id, which is the number less one: where a word ends; it begins where the one before it ends. */
  readonly ends: Uint32Array
  startOf(id: number): number
  /** No words. Memory is used again, but for what unusual pages made it take. */
  clear(seed: number): void
  /**
   * The numbers of the words of a text in UTF-8, behind which a zero stands; 0 for a word that is
   * left out (see `wideNumber`). Valid until the next text.
   */
  numbersOf(text: Uint8Array, length: number): Uint16Array
  /** A word that another table had. */
  add(word: Uint8Array): void
  /** What documents with these numbers become: for each word where it stands. */
  inverted(log: LoggedDocuments): InvertedLog
}

/** In WebAssembly where that is to be had, else in TypeScript. Both give the same numbers. */
export function newWords(seed: number): NumberedWords {
  if (inWasm === undefined) inWasm = loadWordTable() ?? null
  return inWasm ? inWasm(seed) : new WordTable(seed)
}

/** `null`: there is none to be had. */
let inWasm: ((seed: number) => NumberedWords) | null | undefined
