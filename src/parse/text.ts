import { isUtf8 } from 'node:buffer'
import { ReferenceReader } from './character-references.ts'
import { type PageText, textOf } from './page-text.ts'
import { writeUtf8 } from './utf8.ts'

const AMPERSAND = 0x26
const LESS_THAN = 0x3c
const SPACE = 0x20
const FOUR_SPACES = 0x20202020
const FOUR_AMPERSANDS = 0x26262626
const FOUR_LESS_THANS = 0x3c3c3c3c
const FOUR_NO_BREAK_LEADS = 0xc2c2c2c2
/** The highest bit of each of four bytes. */
const HIGHEST = 0x80808080 | 0
const LINE_FEED = 0x0a

const NO_BREAK_SPACE = 0xa0
/** First of the two bytes of a no-break space. */
const NO_BREAK_LEAD = 0xc2

/**
 * By byte: what it is in a text, white space and control characters a space. 0: it needs thought, as NUL, which is ignored,
 * and what may be a no-break space or a character reference.
 */
const textBytes = Uint8Array.from({ length: 256 }, (_, byte) => Math.max(byte, SPACE))
for (const byte of [0, AMPERSAND, NO_BREAK_LEAD]) textBytes[byte] = 0
/** The same where a `<` may begin markup. */
const markupBytes = textBytes.slice()
markupBytes[LESS_THAN] = 0

/**
 * Visible text, gathered as bytes in UTF-8: white space (and other control characters) collapsed to one
 * space, blocks parted by one line feed. Takes what fits into `maxBytes`; the rest is dropped. Memory is used again: a
 * writer must be asked before the next one is made.
 */
export class TextWriter {
  readonly #maxBytes: number
  readonly #reader = new ReferenceReader()
  readonly #document: Buffer
  readonly #view: DataView
  readonly #out: Buffer
  readonly #outView: DataView
  #length = 0

  constructor(maxBytes: number, document: Buffer) {
    this.#maxBytes = maxBytes
    this.#document = document
    this.#view = new DataView(document.buffer, document.byteOffset, document.length)
    // A reference may be shorter than what it stands for (`&nGt;` by one byte), by a fifth at most; a tag has three bytes.
    this.#out = room(document.length + (document.length >> 2) + 64)
    this.#outView = new DataView(this.#out.buffer, this.#out.byteOffset, this.#out.length)
  }

  /** Bytes written so far: a place in the text, for `between`. */
  get length(): number {
    return this.#length
  }

  get isFull(): boolean {
    return this.#length >= this.#maxBytes
  }

  breakLine(): void {
    if (this.#length === 0) return
    if (this.#out[this.#length - 1]! > SPACE) this.#length++
    this.#out[this.#length - 1] = LINE_FEED
  }

  partWords(): void {
    if (this.#length > 0 && this.#out[this.#length - 1]! > SPACE) this.#out[this.#length++] = SPACE
  }

  /** Adds what stands in the document between two places. */
  add(start: number, end: number, references: boolean): void {
    if (this.isFull) return
    let at = start
    for (;;) {
      at = this.#copy(at, end, textBytes, FOUR_AMPERSANDS)
      if (at >= end) return
      at = this.#addUnusual(at, end, references)
    }
  }

  /** Adds what stands in the document from `start`, also if it is a `<`, up to the next `<`; answers where that is. */
  addMarkupText(start: number): number {
    const bytes = this.#document
    const end = bytes.length
    let at = start
    if (bytes[at] === LESS_THAN) this.#out[this.#length++] = bytes[at++]!
    else if (textBytes[bytes[at]!] === SPACE) {
      at = this.#passGap(at, end)
      if (at < end && bytes[at] === LESS_THAN) return at
    }
    for (;;) {
      at = this.#copy(at, end, markupBytes, FOUR_LESS_THANS)
      if (at >= end || bytes[at] === LESS_THAN) return at
      at = this.#addUnusual(at, end, true)
    }
  }

  /** Most texts are white space between tags, or begin with it; and most of that are spaces, as many as lines are indented. */
  #passGap(from: number, end: number): number {
    const bytes = this.#document
    const last = end - 4
    this.partWords()
    for (let at = from + 1; ; at++) {
      while (at <= last && this.#view.getInt32(at) === FOUR_SPACES) at += 4
      if (at >= end || textBytes[bytes[at]!] !== SPACE) return at
    }
  }

  /**
   * Copies words and gaps up to a byte that needs thought. Four bytes at once: they are written as they are, and count up to
   * the first that is not copied as it is. `shown`, `stop`: of `textBytes` or of `markupBytes`.
   */
  #copy(from: number, end: number, shown: Uint8Array, stop: number): number {
    const bytes = this.#document
    const view = this.#view
    const out = this.#outView
    const last = end - 4
    let length = this.#length
    /** 0x80 where a space is one too many. */
    let afterGap = length > 0 && this.#out[length - 1]! > SPACE ? 0 : 0x80
    let at = from
    while (at <= last) {
      const four = view.getInt32(at, true)
      const gaps = spacesIn(four)
      const thought = zeros(four ^ FOUR_AMPERSANDS) | zeros(four ^ FOUR_NO_BREAK_LEADS) | zeros(four ^ stop)
      const marks = ((thought | controls(four)) & HIGHEST) | (gaps & ((gaps << 8) | afterGap))
      out.setInt32(length, four, true)
      if (marks === 0) {
        at += 4
        length += 4
        afterGap = gaps >>> 24
        continue
      }
      const size = (31 - Math.clz32(marks & -marks)) >> 3
      at += size
      this.#length = length += size
      if (shown[bytes[at]!] === 0) return at
      at = this.#passGap(at, end)
      length = this.#length
      afterGap = 0x80
    }
    this.#length = length
    return this.#copyLast(at, end, shown)
  }

  /** Up to three bytes. */
  #copyLast(from: number, end: number, shown: Uint8Array): number {
    const bytes = this.#document
    let at = from
    for (; at < end; at++) {
      const byte = shown[bytes[at]!]!
      if (byte === 0) break
      if (byte === SPACE) this.partWords()
      else this.#out[this.#length++] = byte
    }
    return at
  }

  /** NUL, which is ignored; a no-break space; a character reference. Answers the place behind it. */
  #addUnusual(at: number, end: number, references: boolean): number {
    const bytes = this.#document
    const out = this.#out
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

  /** All that was written. */
  text(): PageText {
    const start = this.labelStart(0)
    const end = this.labelEnd(start, this.#maxBytes)
    return isUtf8(this.#out.subarray(start, end)) ? textOf(this.#out, start, end) : this.between(start, end)
  }
}

/** Marks the first of four bytes, counted from the lowest, that is 0; it may mark others behind it. */
function zeros(four: number): number {
  return (four - 0x01010101) & ~four
}

/** The same for those below a space. */
function controls(four: number): number {
  return (four - FOUR_SPACES) & ~four
}

/** Marks each of four bytes that is a space, and no other. */
function spacesIn(four: number): number {
  const zero = four ^ FOUR_SPACES
  return ~(((zero & 0x7f7f7f7f) + 0x7f7f7f7f) | zero) & HIGHEST
}

const KEPT_BYTES = 2 ** 21
let kept = Buffer.alloc(0)

/** More than most documents need is not kept. */
function room(bytes: number): Buffer {
  if (bytes > KEPT_BYTES) return Buffer.allocUnsafeSlow(bytes)
  if (bytes > kept.length) kept = Buffer.allocUnsafeSlow(Math.min(KEPT_BYTES, 2 * bytes))
  return kept
}
