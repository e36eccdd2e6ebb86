/** The words of a text as hashes, in order; valid until the next `read`. */
export interface Tokens {
  readonly count: number
  readonly hashes: Int32Array
  /** Blocks are parted by line breaks; those without words do not count. */
  readonly blockCount: number
  /** For each block the number of the first word behind it. */
  readonly blockEnds: Int32Array
}

/** Room for the words of usual texts. */
const USUAL_WORDS = 16 * 1024

/**
 * Splits text in well-formed UTF-8 into words for comparison, not for display: case and punctuation are dropped, every
 * digit is alike (a date or counter that changes is no change), and each character of a script without spaces is a word of
 * its own. It keeps its arrays for the next text, so that a page allocates nothing.
 */
export class Tokenizer implements Tokens {
  count = 0
  hashes = new Int32Array(USUAL_WORDS)
  blockCount = 0
  blockEnds = new Int32Array(USUAL_WORDS)
  /** Of the word that the text ends with so far. */
  #hash = EMPTY_WORD

  read(utf8: Uint8Array): Tokens {
    this.#makeRoom(utf8.length)
    this.count = this.blockCount = 0
    for (let at = 0; at < utf8.length; ) {
      at = this.#readAscii(utf8, at)
      if (at < utf8.length) at = this.#readCharacter(utf8, at)
    }
    this.#endWord()
    this.#endBlock()
    return this
  }

  /** No text has more words than half of its bytes, and one; and one is written before it counts. */
  #makeRoom(bytes: number): void {
    const words = (bytes >> 1) + 2
    if (words <= this.hashes.length) return
    this.hashes = new Int32Array(words)
    this.blockEnds = new Int32Array(words)
  }

  /** Answers where it ended: at a character beyond ASCII, or at the end. */
  #readAscii(utf8: Uint8Array, from: number): number {
    const { hashes } = this
    const { length } = utf8
    for (let at = from; ; at++) {
      let letter = PARTS_WORDS
      let count = this.count
      let hash = this.#hash
      for (; at < length; at++) {
        letter = asciiLetters[utf8[at]!]!
        if (letter === LINE_BREAK || letter === BEYOND_ASCII) break
        // A word is written with each letter and counts when it has ended: no processor can foretell which is its last.
        hashes[count] = hash
        const isLetter = -letter >> 31
        count += ((hash | -hash) & ~isLetter) >>> 31
        hash = (Math.imul(hash, BASE) + letter) & isLetter
      }
      this.count = count
      this.#hash = hash
      if (at === length || letter === BEYOND_ASCII) return at
      this.#endWord()
      this.#endBlock()
    }
  }

  #readCharacter(utf8: Uint8Array, at: number): number {
    const first = utf8[at]!
    const second = utf8[at + 1]! & 0x3f
    if (first < 0xe0) {
      this.#addUnit(((first & 0x1f) << 6) | second)
      return at + 2
    }
    const third = utf8[at + 2]! & 0x3f
    if (first < 0xf0) {
      this.#addUnit(((first & 0x0f) << 12) | (second << 6) | third)
      return at + 3
    }
    const code = ((first & 7) << 18) | (second << 12) | (third << 6) | (utf8[at + 3]! & 0x3f)
    this.#addUnit(0xd7c0 + (code >> 10))
    this.#addUnit(0xdc00 + (code & 0x3ff))
    return at + 4
  }

  #addUnit(code: number): void {
    letters ??= Uint16Array.from({ length: 0x10000 }, (_, code) => letterOf(code))
    const letter = letters[code]!
    if (letter > ALONE) {
      this.#hash = (Math.imul(this.#hash, BASE) + letter) | 0
      return
    }
    this.#endWord()
    if (letter === ALONE) this.hashes[this.count++] = Math.imul(code, 0x9e3779b1)
  }

  #endWord(): void {
    if (this.#hash === EMPTY_WORD) return
    this.hashes[this.count++] = this.#hash
    this.#hash = EMPTY_WORD
  }

  #endBlock(): void {
    const blocks = this.blockCount
    if (this.count === (blocks === 0 ? 0 : this.blockEnds[blocks - 1])) return
    this.blockEnds[this.blockCount++] = this.count
  }
}

/**
 * A word is a number whose digits are its letters: so a hash can be made of many letters at once, each times its power of
 * the base, as the twin in WebAssembly does; which needs a base of 15 bits.
 */
export const BASE = 31_337
const EMPTY_WORD = 0
const DIGIT = 0x30
const PARTS_WORDS = 0
const ALONE = 1
const LINE_BREAK = 2
const BEYOND_ASCII = 3

const asciiLetters = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 0x80 ? letterOf(byte) : BEYOND_ASCII))

/**
 * For every UTF-16 code unit: the lower-case letter, one digit for all, or what else it means. It is made for the first text
 * with letters beyond ASCII that comes here: where there is WebAssembly none may ever do.
 */
let letters: Uint16Array | undefined

function letterOf(code: number): number {
  if (code === 0x0a) return LINE_BREAK
  if (code >= 0x30 && code <= 0x39) return DIGIT
  if (code >= 0x250) return isAlone(code) ? ALONE : foldedLetter(code)
  const character = String.fromCharCode(code)
  return /\p{L}/u.test(character) ? character.toLowerCase().charCodeAt(0) : PARTS_WORDS
}

/** A script that is written without spaces. Surrogate halves: letters beyond the basic plane are nearly all Han. */
function isAlone(code: number): boolean {
  if (code < 0x1800) return (code >= 0xe00 && code < 0xf00) || (code >= 0x1000 && code < 0x10a0) || code >= 0x1780
  return (code >= 0x3040 && code < 0xa000) || (code >= 0xac00 && code < 0xe000)
}

function foldedLetter(code: number): number {
  if ((code >= 0x391 && code < 0x3aa) || (code >= 0x410 && code < 0x430)) return code + 0x20
  if (code >= 0x2000 && code < 0x2c00) return PARTS_WORDS
  if (code >= 0x2e00 && code < 0x3040) return PARTS_WORDS
  return code >= 0xff00 || (code >= 0xfe00 && code < 0xfe70) ? PARTS_WORDS : code
}
