import { ReferenceReader } from './character-references.ts'

const AMPERSAND = 0x26
const SPACE = 0x20
const LINE_FEED = 0x0a
const NONE = 0

/**
 * Visible text, gathered as bytes in UTF-8 and decoded once: white space (and other control characters) collapsed to one
 * space, blocks parted by one line feed. Takes what fits into `maxBytes`; the rest is dropped.
 */
export class TextWriter {
  readonly #maxBytes: number
  readonly #reader = new ReferenceReader()
  #out: Buffer
  #length = 0
  /** What to write before the next word: nothing, a space or a line feed. */
  #separator = NONE

  constructor(maxBytes: number, expectedBytes: number) {
    this.#maxBytes = maxBytes
    this.#out = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(expectedBytes, 256)) + 16)
  }

  /** Bytes written so far: a place in the text, for `between`. */
  get length(): number {
    return this.#length
  }

  breakLine(): void {
    this.#separator = LINE_FEED
  }

  partWords(): void {
    if (this.#separator === NONE) this.#separator = SPACE
  }

  add(bytes: Buffer, start: number, end: number, references: boolean): void {
    if (this.#length >= this.#maxBytes) return
    // A reference may be shorter than what it stands for (`&nGt;` by one byte), never by half.
    const out = this.#reserve((end - start) * 2 + 16)
    let length = this.#length
    let separator = this.#separator
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!
      if (byte <= SPACE || (byte === 0xc2 && bytes[i + 1] === 0xa0)) {
        if (byte === 0xc2) i++
        if (separator === NONE) separator = SPACE
        continue
      }
      if (byte === AMPERSAND && references) {
        const after = this.#reader.read(bytes, i, end, false)
        if (after > 0) {
          i = after - 1
          const { first, second } = this.#reader
          if (first <= SPACE || first === 0xa0) {
            if (separator === NONE) separator = SPACE
            continue
          }
          if (separator !== NONE && length > 0) out[length++] = separator
          separator = NONE
          length = writeUtf8(out, length, first)
          if (second !== 0) length = writeUtf8(out, length, second)
          continue
        }
      }
      if (separator !== NONE) {
        if (length > 0) out[length++] = separator
        separator = NONE
      }
      out[length++] = byte
    }
    this.#length = length
    this.#separator = separator
  }

  /** The text between two places, at most `maxBytes` of it. */
  between(start: number, end: number, maxBytes = this.#maxBytes): string {
    let stop = Math.min(end, start + maxBytes)
    // Not in the middle of a character.
    while (stop > start && stop < this.#length && (this.#out[stop]! & 0xc0) === 0x80) stop--
    return this.#out.toString('utf8', start, stop)
  }

  toString(): string {
    return this.between(0, this.#length)
  }

  #reserve(bytes: number): Buffer {
    const needed = this.#length + bytes
    if (needed > this.#out.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#out.length * 2))
      this.#out.copy(grown, 0, 0, this.#length)
      this.#out = grown
    }
    return this.#out
  }
}

function writeUtf8(out: Buffer, at: number, code: number): number {
  if (code < 0x80) {
    out[at] = code
    return at + 1
  }
  if (code < 0x800) {
    out[at] = 0xc0 | (code >> 6)
    out[at + 1] = 0x80 | (code & 0x3f)
    return at + 2
  }
  if (code < 0x10000) {
    out[at] = 0xe0 | (code >> 12)
    out[at + 1] = 0x80 | ((code >> 6) & 0x3f)
    out[at + 2] = 0x80 | (code & 0x3f)
    return at + 3
  }
  out[at] = 0xf0 | (code >> 18)
  out[at + 1] = 0x80 | ((code >> 12) & 0x3f)
  out[at + 2] = 0x80 | ((code >> 6) & 0x3f)
  out[at + 3] = 0x80 | (code & 0x3f)
  return at + 4
}
