import { ReferenceReader } from './character-references.ts'
import { writeUtf8 } from './utf8.ts'

const AMPERSAND = 0x26
const SPACE = 0x20
const LINE_FEED = 0x0a

const NO_BREAK_SPACE = 0xa0
/** First of the two bytes of a no-break space. */
const NO_BREAK_LEAD = 0xc2

/**
 * Visible text, gathered as bytes in UTF-8 and decoded once: white space (and other control characters) collapsed to one
 * space, blocks parted by one line feed. Takes what fits into `maxBytes`; the rest is dropped.
 */
export class TextWriter {
  readonly #maxBytes: number
  readonly #reader = new ReferenceReader()
  #out: Buffer
  #length = 0

  constructor(maxBytes: number, expectedBytes: number) {
    this.#maxBytes = maxBytes
    this.#out = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(expectedBytes, 256)) + 16)
  }

  /** Bytes written so far: a place in the text, for `between`. */
  get length(): number {
    return this.#length
  }

  breakLine(): void {
    if (this.#length === 0) return
    if (this.#out[this.#length - 1]! > SPACE) this.#reserve(1)[this.#length++] = LINE_FEED
    else this.#out[this.#length - 1] = LINE_FEED
  }

  partWords(): void {
    if (this.#length > 0 && this.#out[this.#length - 1]! > SPACE) this.#reserve(1)[this.#length++] = SPACE
  }

  add(bytes: Buffer, start: number, end: number, references: boolean): void {
    if (this.#length >= this.#maxBytes) return
    // A reference may be shorter than what it stands for (`&nGt;` by one byte), never by half.
    const out = this.#reserve((end - start) * 2 + 16)
    let at = start
    for (;;) {
      at = this.#copy(out, bytes, at, end)
      if (at >= end) return
      at = this.#addUnusual(out, bytes, at, end, references)
    }
  }

  /** Copies words and gaps up to a byte that needs thought. Apart from it, so that this loop stays tight. */
  #copy(out: Buffer, bytes: Buffer, from: number, end: number): number {
    let length = this.#length
    let at = from
    while (at < end) {
      let byte = bytes[at]!
      if (byte <= SPACE) {
        if (byte === 0) break
        if (length > 0 && out[length - 1]! > SPACE) out[length++] = SPACE
        do at++
        while (at < end && bytes[at]! <= SPACE && bytes[at] !== 0)
        continue
      }
      if (byte === AMPERSAND || byte === NO_BREAK_LEAD) break
      do {
        out[length++] = byte
        if (++at >= end) break
        byte = bytes[at]!
      } while (byte > SPACE && byte !== AMPERSAND && byte !== NO_BREAK_LEAD)
    }
    this.#length = length
    return at
  }

  /** NUL, which is ignored; a no-break space; a character reference. Answers the place behind it. */
  #addUnusual(out: Buffer, bytes: Buffer, at: number, end: number, references: boolean): number {
    const byte = bytes[at]!
    if (byte === 0) return at + 1
    if (byte === NO_BREAK_LEAD && bytes[at + 1] === NO_BREAK_SPACE) {
      this.partWords()
      return at + 2
    }
    const after = byte === AMPERSAND && references ? this.#reader.read(bytes, at, end, false) : -1
    if (after < 0) {
      out[this.#length++] = byte
      return at + 1
    }
    const { first, second } = this.#reader
    if (first <= SPACE || first === NO_BREAK_SPACE) this.partWords()
    else this.#length = writeUtf8(out, this.#length, first)
    if (second !== 0) this.#length = writeUtf8(out, this.#length, second)
    return after
  }

  /** Where a text from `from` on begins: behind white space. */
  labelStart(from: number): number {
    let start = from
    while (start < this.#length && this.#out[start]! <= SPACE) start++
    return start
  }

  /** Where a text from `from` on ends that may have `maxBytes`: before white space, not inside a character. */
  labelEnd(from: number, maxBytes: number): number {
    const out = this.#out
    let end = Math.min(this.#length, from + maxBytes)
    while (end > from && end < this.#length && (out[end]! & 0xc0) === 0x80) end--
    while (end > from && out[end - 1]! <= SPACE) end--
    return end
  }

  between(start: number, end: number): string {
    return this.#out.toString('utf8', start, end)
  }

  toString(): string {
    const start = this.labelStart(0)
    return this.between(start, this.labelEnd(start, this.#maxBytes))
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
