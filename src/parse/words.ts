/**
 * The words of a text as eld wants them: lower case, parted by single spaces; an apostrophe before a letter stays. Text in
 * Latin letters is read by hand, up to `enough` characters, in a third of the time that the regular expression takes.
 */
export function wordsOf(text: string, enough: number): string {
  return latinWords(text, enough) ?? anyWords(text)
}

export function anyWords(text: string): string {
  return text
    .replace(/[^\p{L}]+(?<!['`\u2019])/gu, ' ')
    .trim()
    .toLowerCase()
}

const SPACE = 0x20
/** Letters from here on are left to the regular expression, but not the punctuation that all languages use. */
export const LATIN_END = 0x250
export const PUNCTUATION = 0x2010
export const PUNCTUATION_END = 0x2040

let lowerCase: Uint16Array | undefined
let out = new Uint16Array(0)

/** `undefined`: there are other letters. */
function latinWords(text: string, enough: number): string | undefined {
  lowerCase ??= lowerCaseLetters()
  if (out.length < text.length) out = new Uint16Array(text.length)
  let length = 0
  /** Where the apostrophes begin that the text ends with, if they stand behind something else that is no letter. */
  let gapEnd = 0
  for (let i = 0; i < text.length && length <= enough; i++) {
    const code = text.charCodeAt(i)
    const letter = code < LATIN_END ? lowerCase[code]! : 0
    if (letter > 1) {
      out[length++] = letter
      gapEnd = length
    } else if (letter === 1 || (code >= LATIN_END && (code < PUNCTUATION || code >= PUNCTUATION_END))) return undefined
    else if (isApostrophe(code)) out[length++] = code
    else {
      // All that is no letter up to here, apostrophes too, becomes one space.
      length = gapEnd
      if (length > 0 && out[length - 1] !== SPACE) out[length++] = SPACE
      gapEnd = length
    }
  }
  return trimmed(length)
}

function trimmed(length: number): string {
  const end = length > 0 && out[length - 1] === SPACE ? length - 1 : length
  return Buffer.from(out.buffer, 0, end * 2).toString('utf16le')
}

/** By code: the letter in lower case (see `lowerCaseLetter`). */
export function lowerCaseLetters(): Uint16Array {
  return Uint16Array.from({ length: LATIN_END }, (_, code) => lowerCaseLetter(code))
}

/** 0: no letter. 1: one whose lower case depends on more than itself. */
function lowerCaseLetter(code: number): number {
  const character = String.fromCharCode(code)
  if (!/\p{L}/u.test(character)) return 0
  const lower = character.toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : 1
}

function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x60 || code === 0x2019
}
