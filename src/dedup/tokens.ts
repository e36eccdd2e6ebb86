/** The words of a text as hashes, in order; valid until the next `read`. */
export interface Tokens {
  readonly count: number
  readonly hashes: Int32Array
  /** 1 where a word is the first of its block (blocks are parted by line breaks). */
  readonly startsBlock: Uint8Array
}

/**
 * Splits text into words for comparison, not for display: case and punctuation are dropped, every digit is alike (a date
 * or counter that changes is no change), and each character of a script without spaces is a word of its own.
 * It keeps its arrays for the next text, so that a page allocates nothing.
 */
export function createTokenizer(): { read(text: string): Tokens } {
  let hashes = new Int32Array(4096)
  let startsBlock = new Uint8Array(4096)

  function grow(): void {
    const moreHashes = new Int32Array(hashes.length * 2)
    const moreStarts = new Uint8Array(hashes.length * 2)
    moreHashes.set(hashes)
    moreStarts.set(startsBlock)
    hashes = moreHashes
    startsBlock = moreStarts
  }

  function read(text: string): Tokens {
    let count = 0
    let hash = EMPTY_WORD
    let newBlock = 1
    const push = (word: number) => {
      if (count === hashes.length) grow()
      hashes[count] = word
      startsBlock[count++] = newBlock
      newBlock = 0
    }
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      const letter = code < 128 ? ASCII[code]! : folded(code)
      if (letter > 0) {
        hash = Math.imul(hash ^ letter, 0x01000193)
        continue
      }
      if (hash !== EMPTY_WORD) push(hash)
      hash = EMPTY_WORD
      if (letter === ALONE) push(Math.imul(code, 0x9e3779b1))
      else if (code === LINE_FEED) newBlock = 1
    }
    if (hash !== EMPTY_WORD) push(hash)
    return { count, hashes, startsBlock }
  }
  return { read }
}

/** FNV-1a, as a signed integer. */
const EMPTY_WORD = 0x811c9dc5 | 0
const LINE_FEED = 0x0a
const DIGIT = 0x30
const ALONE = -1

/** Lower-case letter, one digit for all, or 0 for what parts words. */
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[0-9]/.test(character)) return DIGIT
  return /[a-zA-Z]/.test(character) ? character.toLowerCase().charCodeAt(0) : 0
})

/** Beyond ASCII: the lower-case letter, 0 for what parts words, `ALONE` for a script that is written without spaces. */
function folded(code: number): number {
  if (code < 0x250) return LATIN[code - 128]!
  if (code < 0x530)
    return code >= 0x410 && code < 0x430 ? code + 0x20 : code >= 0x391 && code < 0x3aa ? code + 0x20 : code
  if (code < 0xe00) return code
  if (code < 0xf00) return ALONE
  if (code >= 0x1000 && code < 0x10a0) return ALONE
  if (code >= 0x1780 && code < 0x1800) return ALONE
  if (code < 0x2000) return code
  if (code < 0x3040) return code >= 0x2c00 && code < 0x2e00 ? code : 0
  if (code < 0xd7b0) return code >= 0xa000 && code < 0xac00 ? code : ALONE
  // Surrogate halves: letters beyond the basic plane are nearly all Han.
  if (code < 0xe000) return ALONE
  return code >= 0xff00 || (code >= 0xfe00 && code < 0xfe70) ? 0 : code
}

const LATIN = Uint16Array.from({ length: 0x250 - 128 }, (_, i) => {
  const character = String.fromCharCode(i + 128)
  return /\p{L}/u.test(character) ? character.toLowerCase().charCodeAt(0) : 0
})
