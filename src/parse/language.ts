import { type LanguageModel, loadLanguageModel } from './language-model.ts'
import { wordsOf } from './words.ts'

/** Shorter texts (in letters) are not judged: the declaration of the page is the better guess. */
const MIN_LETTERS = 40
/** Characters read; what follows changes hardly any answer. */
const SAMPLE_CHARS = 1000
/** Bytes of words read, as eld does. */
const MAX_WORD_BYTES = 350
const MAX_BYTES = 380
/** Of the words up to here the last, which may be cut, is beyond what is read. */
const ENOUGH_BYTES = MAX_BYTES + 20
/** Lines of at least this length are taken for paragraphs. */
const PARAGRAPH_CHARS = 80
/** How far into a text paragraphs are looked for. */
const MAX_SEARCH_CHARS = 100_000
/** Longer words are cut. */
const MAX_GRAM_SPAN = 70

/** Text → two-letter code of its language, or `''`. The tables are loaded when the first text comes. */
export function detectLanguage(text: string): string {
  const words = wordsOf(representativeSample(text), ENOUGH_BYTES)
  if (letterCount(words) < MIN_LETTERS) return ''
  model ??= loadLanguageModel()
  return mostLikely(words, model)
}

let model: LanguageModel | undefined

/** Pages begin with menus: whole paragraphs tell more. The first long lines, or the first lines where none is long. */
function representativeSample(text: string): string {
  let sample = ''
  for (let start = 0; start < Math.min(text.length, MAX_SEARCH_CHARS) && sample.length < SAMPLE_CHARS; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    if (end - start >= PARAGRAPH_CHARS) sample += `${text.slice(start, Math.min(end, start + SAMPLE_CHARS))} `
    start = end + 1
  }
  return (sample === '' ? text : sample).slice(0, SAMPLE_CHARS)
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
  const scores = new Int32Array(languages.length)
  grams.beginText()
  eachGram(words, (low, high) => grams.tally(low, high, scores))
  let best = -1
  for (let i = 0; i < scores.length; i++) if (scores[i]! > (best < 0 ? 0 : scores[best]!)) best = i
  return best < 0 ? '' : languages[best]!
}

/** The n-grams of the words: four bytes each, every third byte, with a space at the ends of words. */
function eachGram(words: string, use: (low: number, high: number) => void): void {
  const bytes = Buffer.from(` ${words} `)
  const add = (from: number, to: number) => {
    let low = 0
    let high = 0
    for (let i = from; i < to; i++) {
      const byte = bytes[i]!
      if (i - from < 4) low |= byte << ((i - from) * 8)
      else high |= byte << ((i - from - 4) * 8)
    }
    use(low, high)
  }
  let total = 0
  for (let start = 1; start < bytes.length && total <= MAX_WORD_BYTES; ) {
    let end = bytes.indexOf(0x20, start)
    if (total + end - start > MAX_BYTES) end = start + MAX_BYTES - total
    total += end - start + 1
    addWord(start, end, add)
    start = end + 1
  }
}

function addWord(start: number, wordEnd: number, add: (from: number, to: number) => void) {
  const end = Math.min(wordEnd, start + MAX_GRAM_SPAN)
  let at = start
  for (; at + 4 < end; at += 3) add(at === start ? start - 1 : at, at + 4)
  const tail = Math.max(start, end - start === 3 ? start : end - 4)
  add(at === start ? start - 1 : tail, wordEnd + 1)
}
