/**
 * What counts as a word, for the index, for queries and for excerpts alike. Scripts written without spaces (Han, kana,
 * Hangul, Thai, Lao, Burmese, Khmer) have no words to split at: there the index holds every pair of neighbouring
 * characters, and a query for a run of them asks for its pairs in a row. So "京都" is found within "東京都庁", as readers
 * of these scripts expect.
 */

const SPACELESS =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
const SPACELESS_RUN = new RegExp(`[${SPACELESS}]+`, 'gv')
/** Marks belong to words: without them every word of Hindi or Tamil would fall apart at its vowels. */
const WORD_CHARACTERS = '\\p{L}\\p{N}\\p{Co}\\p{Mn}\\p{Mc}'
const WORD = new RegExp(`[${WORD_CHARACTERS}]+`, 'gv')
export const UNIT = new RegExp(`[${SPACELESS}]|[[${WORD_CHARACTERS}]--[${SPACELESS}]]+`, 'gv')

/** A word, or one character of a script without spaces, and where it stands. */
export interface Unit {
  readonly folded: string
  readonly start: number
  readonly end: number
}

const SEPARATORS = new RegExp(`[^\\0-\\x7f${WORD_CHARACTERS}]+`, 'gv')
/** Most text is nothing but ASCII: whatever costs more is done for the rest alone. */
const BEYOND_ASCII = /[^\0-\x7f]+/g

/** Case, diacritics and typographic variants make no difference. */
export function fold(text: string): string {
  return text.replace(BEYOND_ASCII, foldRun).toLowerCase()
}

/** No mark that is kept joins with an ASCII letter before it, so a run can be folded without its neighbours. */
function foldRun(run: string): string {
  const bare = run.normalize('NFKD').replace(/[\u0300-\u036f]+/g, '')
  return bare.normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
}

export function wordsOf(text: string): string[] {
  return fold(text).match(WORD) ?? []
}

/** From `start` on, where a unit begins. */
export function* unitsOf(text: string, start = 0): Generator<Unit> {
  const unit = new RegExp(UNIT)
  unit.lastIndex = start
  for (let match = unit.exec(text); match; match = unit.exec(text))
    yield { folded: fold(match[0]), start: match.index, end: match.index + match[0].length }
}

/**
 * Text as it is given to the index, whose engine knows no letters but those of ASCII: these it folds itself, and all else
 * belongs to words. So the rest is folded here, and what parts words becomes a space.
 */
export function indexedText(text: string): string {
  return text.replace(BEYOND_ASCII, indexedRun)
}

/** What one character gives. */
export interface IndexedUnit {
  readonly text: string
  readonly spaceless: boolean
}

/** Marks that are kept and parts of Korean letters join with what is before them; half a character is none. */
const JOINING = /[[\p{M}\p{Cs}\u1100-\u11ff]--[\u0300-\u036f]]/v
const indexedUnits = new Array<IndexedUnit | null | undefined>(0x10000)

/** Of a UTF-16 unit beyond ASCII; `null` where its neighbours decide too. */
export function indexedUnit(code: number): IndexedUnit | null {
  const known = indexedUnits[code]
  if (known !== undefined) return known
  const character = String.fromCharCode(code)
  const folded = foldRun(character)
  const text = folded.replace(SEPARATORS, ' ')
  const spaceless = text.search(SPACELESS_RUN) >= 0
  const joins = JOINING.test(character) || JOINING.test(folded) || (spaceless && text.length > 1)
  return (indexedUnits[code] = joins ? null : { text, spaceless })
}

/** Character by character, which costs a third of folding the run as a whole. */
function indexedRun(run: string): string {
  let indexed = ''
  let before = ''
  for (let i = 0; i < run.length; i++) {
    const unit = indexedUnit(run.charCodeAt(i))
    if (unit === null) return foldedForIndex(run)
    if (unit.text === '') continue
    if (unit.spaceless) indexed += before === '' ? ' ' : `${before}${unit.text} `
    else indexed += before === '' ? unit.text : `${before} ${unit.text}`
    before = unit.spaceless ? unit.text : ''
  }
  return before === '' ? indexed : `${indexed}${before} `
}

/** A run of characters beyond ASCII, as a whole. */
export function foldedForIndex(run: string): string {
  return foldRun(run)
    .replace(SEPARATORS, ' ')
    .replace(SPACELESS_RUN, (spaceless) => ` ${pairsOf(spaceless).join(' ')} `)
}

/** Every pair of neighbours, and the last character alone, so that a question for one character finds it too. */
export function pairsOf(run: string): string[] {
  const characters = [...run]
  return characters.map((character, i) => character + (characters[i + 1] ?? ''))
}

/** A word → its parts: runs of a script without spaces, and what is between them. */
export function runsOf(word: string): { readonly text: string; readonly spaceless: boolean }[] {
  const runs: { text: string; spaceless: boolean }[] = []
  let end = 0
  for (const match of word.matchAll(SPACELESS_RUN)) {
    if (match.index > end) runs.push({ text: word.slice(end, match.index), spaceless: false })
    runs.push({ text: match[0], spaceless: true })
    end = match.index + match[0].length
  }
  if (end < word.length) runs.push({ text: word.slice(end), spaceless: false })
  return runs
}
