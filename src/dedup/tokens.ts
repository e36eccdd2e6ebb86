/** The words of a text as hashes, in order; valid until the next `read`. */
export interface Tokens {
  readonly count: number
  readonly hashes: Int32Array
  /** Blocks are parted by line breaks; those without words do not count. */
  readonly blockCount: number
  /** For each block the number of the first word behind it. */
  readonly blockEnds: Int32Array
}

/** So many characters are looked at at once. */
const CHUNK = 16 * 1024

/**
 * Splits text into words for comparison, not for display: case and punctuation are dropped, every digit is alike (a date
 * or counter that changes is no change), and each character of a script without spaces is a word of its own.
 * It keeps its arrays for the next text, so that a page allocates nothing.
 */
export function createTokenizer(): { read(text: string): Tokens } {
  let hashes = new Int32Array(CHUNK)
  let blockEnds = new Int32Array(CHUNK)
  // Numbers in an array are read in half the time that `charCodeAt` takes, and copying them there costs next to nothing.
  const bytes = Buffer.alloc(CHUNK * 2)
  const codes = new Uint16Array(bytes.buffer, bytes.byteOffset, CHUNK)

  function makeRoom(words: number): void {
    if (words <= hashes.length) return
    const moreHashes = new Int32Array(words * 2)
    const moreEnds = new Int32Array(words * 2)
    moreHashes.set(hashes)
    moreEnds.set(blockEnds)
    hashes = moreHashes
    blockEnds = moreEnds
  }

  function read(text: string): Tokens {
    letters ??= Uint16Array.from({ length: 0x10000 }, (_, code) => letterOf(code))
    const table = letters
    let count = 0
    let blockCount = 0
    let firstOfBlock = 0
    let hash = EMPTY_WORD
    for (let from = 0; from < text.length; from += CHUNK) {
      const length = bytes.write(text.length <= CHUNK ? text : text.slice(from, from + CHUNK), 'utf16le') >> 1
      // A character ends at most one word and is at most one; the last word of all comes on top.
      makeRoom(count + 2 * length + 1)
      const [words, ends] = [hashes, blockEnds]
      for (let i = 0; i < length; i++) {
        const letter = table[codes[i]!]!
        // A word is written with each letter and counts when it has ended: no processor can foretell which is its last.
        words[count] = hash
        const isLetter = (LINE_BREAK - letter) >>> 31
        count += (isLetter ^ 1) & ((hash | -hash) >>> 31)
        hash = (Math.imul(hash, BASE) + letter) & -isLetter
        if (letter === LINE_BREAK && count > firstOfBlock) ends[blockCount++] = firstOfBlock = count
        else if (letter === ALONE) words[count++] = Math.imul(codes[i]!, 0x9e3779b1)
      }
    }
    if (hash !== EMPTY_WORD) hashes[count++] = hash
    if (count > firstOfBlock) blockEnds[blockCount++] = count
    return { count, hashes, blockCount, blockEnds }
  }
  return { read }
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

/**
 * For every UTF-16 code unit: the lower-case letter, one digit for all, or what else it means. A table, since calling a
 * function for each letter beyond ASCII makes the whole loop half as fast. It is made for the first text that comes here:
 * where there is WebAssembly none may ever do.
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
