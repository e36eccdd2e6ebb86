import { LAST_SPACE } from './gram-table.ts'
import { type LanguageModel, loadLanguageModel } from './language-model.ts'
import { beginningOf, type PageText } from './page-text.ts'
import { languageInWasm } from './wasm/wasm-language.ts'
import { wordsOf } from './words.ts'

/** Shorter texts (in letters) are not judged: the declaration of the page is the better guess. */
export const MIN_LETTERS = 40
/** Characters read; what follows changes hardly any answer. */
export const SAMPLE_CHARS = 1000
/** Bytes of words read, as eld does. */
export const MAX_WORD_BYTES = 350
export const MAX_BYTES = 380
/** Of the words up to here the last, which may be cut, is beyond what is read. */
export const ENOUGH_BYTES = MAX_BYTES + 20
/** In so many there mostly are enough paragraphs. */
const MOSTLY_ENOUGH_CHARS = 1500
/** Lines of at least this length are taken for paragraphs. */
export const PARAGRAPH_CHARS = 80
/** How far into a text paragraphs are looked for. */
export const MAX_SEARCH_CHARS = 100_000
/** Longer words are cut. */
export const MAX_GRAM_SPAN = 70
const SPACE = 0x20

/** Text → two-letter code of its language, or `''`. The tables are loaded when the first text comes. */
export function detectLanguage(text: PageText): string {
  return languageInWasm(text) ?? languageInTypeScript(text)
}

export function languageInTypeScript(text: PageText): string {
  const words = wordsOf(representativeSample(text), ENOUGH_BYTES)
  if (letterCount(words) < MIN_LETTERS) return ''
  model ??= loadLanguageModel()
  return mostLikely(words, model)
}

let model: LanguageModel | undefined

/** Pages begin with menus: whole paragraphs tell more. The first long lines, or the first lines where none is long. */
function representativeSample(text: PageText): string {
  let sample = ''
  if (typeof text !== 'string') sample = paragraphsIn(beginningOf(text, MOSTLY_ENOUGH_CHARS))
  // What ends with the beginning may be cut, and have a space too much.
  if (sample.length <= SAMPLE_CHARS) sample = paragraphsIn(text.toString())
  return (sample === '' ? beginningOf(text, SAMPLE_CHARS) : sample).slice(0, SAMPLE_CHARS)
}

function paragraphsIn(text: string): string {
  let sample = ''
  for (let start = 0; start < Math.min(text.length, MAX_SEARCH_CHARS) && sample.length < SAMPLE_CHARS; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    if (end - start >= PARAGRAPH_CHARS) sample += `${text.slice(start, Math.min(end, start + SAMPLE_CHARS))} `
    start = end + 1
  }
  return sample
}

function letterCount(words: string): number {
  let count = 0
  for (let i = 0; i < words.length && count < MIN_LETTERS; i++) {
    const code = words.charCodeAt(i)
    // Letters of scripts that need no spaces say as much as words do.
    if (code !== 0x20) count += code >= 0x0e00 ? 4 : 1
  }
  return count
}

function mostLikely(words: string, { languages, grams }: LanguageModel): string {
  if (sums.length !== languages.length) sums = new Int32Array(languages.length)
  sums.fill(0)
  findGrams(words)
  grams.tally(found, sums)
  let best = -1
  for (let i = 0; i < sums.length; i++) if (sums[i]! > (best < 0 ? 0 : sums[best]!)) best = i
  return best < 0 ? '' : languages[best]!
}

/** Used again for every text. */
let sums = new Int32Array(0)
const bytes = Buffer.alloc(4 * (SAMPLE_CHARS + 1))
/** A word of one byte and its space have one. */
const MAX_GRAMS = MAX_BYTES
const found = { count: 0, lows: new Int32Array(MAX_GRAMS), highs: new Int32Array(MAX_GRAMS) }

/** The n-grams of the words: four bytes each, every third byte, with a space at the ends of words. */
function findGrams(words: string): void {
  found.count = 0
  bytes[0] = SPACE
  const length = bytes.write(`${words} `, 1) + 1
  let total = 0
  for (let start = 1; start < length && total <= MAX_WORD_BYTES; ) {
    let end = start
    while (bytes[end] !== SPACE) end++
    if (total + end - start > MAX_BYTES) end = start + MAX_BYTES - total
    total += end - start + 1
    gramsOfWord(start, end)
    start = end + 1
  }
}

function gramsOfWord(start: number, wordEnd: number): void {
  const end = Math.min(wordEnd, start + MAX_GRAM_SPAN)
  let at = start
  for (; at + 4 < end; at += 3) addGram(at === start ? start - 1 : at, at + 4)
  const tail = Math.max(start, end - start === 3 ? start : end - 4)
  addGram(at === start ? start - 1 : tail, wordEnd + 1)
}

/** Of at most six bytes, the last of six a space; others are in no table. */
function addGram(from: number, to: number): void {
  const size = to - from
  if (size > 6 || (size === 6 && bytes[to - 1] !== SPACE)) return
  let low = 0
  for (let i = Math.min(3, size - 1); i >= 0; i--) low = (low << 8) | bytes[from + i]!
  const high = size > 4 ? bytes[from + 4]! : 0
  found.lows[found.count] = low
  found.highs[found.count++] = size === 6 ? high | LAST_SPACE : high
}
