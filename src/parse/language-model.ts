import { readFileSync } from 'node:fs'
import { endianness } from 'node:os'
import { GramTable, SLOTS } from './gram-table.ts'

/**
 * The n-gram tables of the package eld (Apache-2.0, Nito T.M.) as flat arrays, ready for use. The package's own form, an
 * object of eighty thousand objects, takes 0.4 s and 150 MiB to load; reading its file as text still took 60 ms in every
 * thread. `scripts/language-tables.ts` writes the file.
 */
export interface LanguageModel {
  /** Two-letter codes; scores are by their place. */
  readonly languages: readonly string[]
  readonly grams: GramTable
}

export const languageTables = new URL('./language-tables.bin', import.meta.url)

/** Parts of the file: codes of languages, two letters each and filled up with spaces; slots; scores. Little-endian. */
export const LANGUAGE_BYTES = 256
export const MAX_LANGUAGES = LANGUAGE_BYTES / 2
const SLOT_BYTES = SLOTS * 8

export function loadLanguageModel(): LanguageModel {
  const bytes = readFileSync(languageTables)
  const languages = languagesIn(bytes)
  const slots = bytes.subarray(LANGUAGE_BYTES, LANGUAGE_BYTES + SLOT_BYTES)
  const scores = bytes.subarray(LANGUAGE_BYTES + SLOT_BYTES)
  if (endianness() === 'BE') {
    slots.swap32()
    scores.swap16()
  }
  const grams = new GramTable(
    new Int32Array(slots.buffer, slots.byteOffset, slots.length / 4),
    new Uint16Array(scores.buffer, scores.byteOffset, scores.length / 2),
  )
  return { languages, grams }
}

export function languagesIn(file: Buffer): readonly string[] {
  return file.toString('latin1', 0, LANGUAGE_BYTES).match(/[a-z]{2}/g) ?? []
}
