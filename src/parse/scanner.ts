import { Attribute, attributeTable } from './attributes.ts'
import { byteClasses, ENDS_ATTRIBUTE_NAME, ENDS_TAG_NAME, ENDS_UNQUOTED, PARTS_ATTRIBUTES } from './byte-classes.ts'
import type { CurrentToken } from './current-token.ts'
import { ForeignContext } from './foreign.ts'
import { lowerCase } from './names.ts'
import { isSpace, rawTextEnd } from './raw-text.ts'
import { RAW, RCDATA, Tag, tagFlags, tagName, tagTable } from './tags.ts'
import type { TextWriter } from './text.ts'

/**
 * A tokenizer for HTML over bytes in UTF-8, one pass, no tree and no strings: `next()` moves on to a token, whose place
 * and attributes stand in the fields until the next call. It follows the tokenizer of the HTML standard with scripting
 * off; comments and doctypes are passed over. It never throws, and takes time linear in the input, whatever that is.
 */
export class Scanner implements CurrentToken {
  readonly bytes: Buffer
  readonly #view: DataView
  /** Of a text, its first byte; of a tag, the first byte of its name. */
  start = 0
  end = 0
  /** Number of the element (`tags.ts`); of a raw text, that of the element around it. */
  tag = 0
  /** The text may hold character references. */
  references = true
  selfClosing = false
  /** The tag belongs to `svg` or `math`. */
  foreign = false
  /** Where texts go as they are passed over; it is of the same document. */
  textTo: TextWriter | undefined

  #at = 0
  readonly #length: number
  readonly #wanted: Uint8Array | undefined
  /** Element whose raw text comes next, or 0. */
  #rawIn = 0
  #present = 0
  readonly #valueStart: number[] = new Array(32).fill(0)
  readonly #valueEnd: number[] = new Array(32).fill(0)
  readonly #foreign = new ForeignContext()

  /**
   * `wanted`: by tag number, the elements whose attributes will be asked for, apart from `hidden`, which any may have; all of
   * them if it is not given.
   */
  constructor(bytes: Buffer, wanted?: Uint8Array) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#wanted = wanted
    this.#length = bytes.length
  }

  next(): Token {
    const { bytes } = this
    const length = this.#length
    if (this.#rawIn !== 0) return this.#rawText()
    let at = this.#at
    for (;;) {
      if (at >= length) return this.#finish()
      if (bytes[at] !== LESS_THAN) return this.#text(at)
      const byte = at + 1 < length ? bytes[at + 1]! : 0
      if (isLetter(byte)) {
        const after = this.#readTag(at + 1)
        if (after < 0) return this.#finish()
        this.#at = after
        this.#afterStartTag()
        return START_TAG
      }
      if (byte === SLASH) {
        const first = at + 2 < length ? bytes[at + 2]! : 0
        if (isLetter(first)) {
          const after = this.#readTag(at + 2)
          if (after < 0) return this.#finish()
          this.#at = after
          if (this.#foreign.touched) this.#foreign.end(this.tag)
          return END_TAG
        }
        if (at + 2 >= length) return this.#text(at)
        at = first === GREATER_THAN ? at + 3 : this.#afterGreaterThan(at + 2)
      } else if (byte === EXCLAMATION) {
        if (this.#isCdata(at + 2)) return this.#cdata(at + 9)
        at = this.#afterDeclaration(at + 2)
      } else if (byte === QUESTION) {
        at = this.#afterGreaterThan(at + 2)
      } else {
        return this.#text(at)
      }
    }
  }

  has(attribute: number): boolean {
    return (this.#present & (1 << attribute)) !== 0
  }

  /** First byte of an attribute's value; only where `has` says so. */
  valueStart(attribute: number): number {
    return this.#valueStart[attribute]!
  }

  valueEnd(attribute: number): number {
    return this.#valueEnd[attribute]!
  }

  #finish(): Token {
    this.#at = this.#length
    return END_OF_INPUT
  }

  #text(from: number): Token {
    const length = this.#length
    const textTo = this.textTo?.isFull ? undefined : this.textTo
    let at = from
    // A `<` that begins no markup is text.
    do at = textTo === undefined ? this.#lessThanAfter(at) : textTo.addMarkupText(at)
    while (at < length && !this.#beginsMarkup(at))
    this.start = from
    this.end = this.#at = at
    this.references = true
    return TEXT
  }

  #lessThanAfter(place: number): number {
    const found = this.#find(LESS_THAN, place + 1)
    return found < 0 ? this.#length : found
  }

  /** Where a byte stands next, or -1. A call into native code pays off only for what is not near. */
  #find(byte: number, from: number): number {
    const view = this.#view
    const near = Math.min(this.#length - 4, from + 128)
    const wanted = Math.imul(byte, 0x01010101)
    let at = from
    for (; at <= near; at += 4) {
      // Four at once: a byte that is the one wanted becomes zero, and then one below zero.
      const four = view.getInt32(at, true) ^ wanted
      const zeros = (four - 0x01010101) & ~four & 0x80808080
      if (zeros !== 0) return at + ((31 - Math.clz32(zeros & -zeros)) >> 3)
    }
    return this.bytes.indexOf(byte, at)
  }

  #beginsMarkup(lessThanAt: number): boolean {
    const at = lessThanAt + 1
    if (at >= this.#length) return false
    const byte = this.bytes[at]!
    if (byte === SLASH) return at + 1 < this.#length
    return isLetter(byte) || byte === EXCLAMATION || byte === QUESTION
  }

  #rawText(): Token {
    const tag = this.#rawIn
    this.#rawIn = 0
    this.start = this.#at
    this.end = this.#at = rawTextEnd(this.bytes, this.#at, this.#length, tagName(tag))
    this.tag = tag
    this.references = (tagFlags[tag]! & RCDATA) !== 0
    return RAW_TEXT
  }

  #afterStartTag(): void {
    const { tag } = this
    this.foreign = false
    if (this.#foreign.touched || tag === Tag.svg || tag === Tag.math) {
      const breaksOut = this.has(Attribute.color) || this.has(Attribute.face) || this.has(Attribute.size)
      this.foreign = this.#foreign.start(tag, this.selfClosing, breaksOut, this.#hasHtmlEncoding())
      if (this.foreign) return
    }
    if ((tagFlags[tag]! & (RAW | RCDATA)) !== 0) this.#rawIn = tag
  }

  #hasHtmlEncoding(): boolean {
    if (this.tag !== Tag.annotationXml || !this.has(Attribute.encoding)) return false
    const value = this.bytes.toString('latin1', this.valueStart(Attribute.encoding), this.valueEnd(Attribute.encoding))
    return /^(text\/html|application\/xhtml\+xml)$/i.test(value)
  }

  /** Reads a tag from the first letter of its name; answers the place behind its `>`, or -1 when it has none. */
  #readTag(from: number): number {
    const { bytes } = this
    const classes = byteClasses
    const lower = lowerCase
    const length = this.#length
    let i = from
    let low = 0
    let high = 0
    while (i < length) {
      const byte = bytes[i]!
      if ((classes[byte]! & ENDS_TAG_NAME) !== 0) break
      high = (high << 8) | (low >>> 24)
      low = (low << 8) | lower[byte]!
      i++
    }
    this.start = from
    this.end = i
    this.tag = tagTable.lookup(bytes, from, i, low, high)
    this.#present = 0
    return i < length && bytes[i] === GREATER_THAN ? this.#closeTag(i, false) : this.#readAttributes(i)
  }

  #closeTag(at: number, selfClosing: boolean): number {
    this.selfClosing = selfClosing
    return at + 1
  }

  #readAttributes(from: number): number {
    const { bytes } = this
    const classes = byteClasses
    const wanted = this.#wanted === undefined || this.#wanted[this.tag] === 1
    const length = this.#length
    let i = from
    for (;;) {
      let slashAt = -1
      while (i < length && (classes[bytes[i]!]! & PARTS_ATTRIBUTES) !== 0) {
        if (bytes[i] === SLASH) slashAt = i
        i++
      }
      if (i >= length) return -1
      if (bytes[i] === GREATER_THAN) return this.#closeTag(i, slashAt === i - 1)

      const nameStart = i++
      while (i < length && (classes[bytes[i]!]! & ENDS_ATTRIBUTE_NAME) === 0) i++
      const nameEnd = i
      while (i < length && isSpace(bytes[i]!)) i++
      let valueStart = nameEnd
      let valueEnd = nameEnd
      if (i < length && bytes[i] === EQUALS) {
        i++
        while (i < length && isSpace(bytes[i]!)) i++
        if (i >= length) return -1
        const quote = bytes[i]!
        if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
          valueStart = i + 1
          valueEnd = this.#find(quote, valueStart)
          if (valueEnd < 0) return -1
          i = valueEnd + 1
        } else {
          valueStart = i
          while (i < length && (classes[bytes[i]!]! & ENDS_UNQUOTED) === 0) i++
          valueEnd = i
        }
      }
      const id = wanted || mayBeHidden(bytes, nameStart, nameEnd) ? attributeTable.find(bytes, nameStart, nameEnd) : 0
      // Of an attribute that is given twice the first counts.
      if (id !== 0 && (this.#present & (1 << id)) === 0) {
        this.#present |= 1 << id
        this.#valueStart[id] = valueStart
        this.#valueEnd[id] = valueEnd
      }
    }
  }

  #isCdata(at: number): boolean {
    if (this.bytes[at] !== 0x5b || !this.#foreign.inside) return false
    return this.bytes.toString('latin1', at, at + 7) === '[CDATA['
  }

  #cdata(from: number): Token {
    const close = this.bytes.indexOf(']]>', from, 'latin1')
    this.start = from
    this.end = close < 0 ? this.#length : close
    this.#at = close < 0 ? this.#length : close + 3
    this.references = false
    this.textTo?.add(from, this.end, false)
    return TEXT
  }

  /** Behind a comment, doctype or bogus comment that begins after `<!`. */
  #afterDeclaration(from: number): number {
    const { bytes } = this
    if (bytes[from] !== DASH || bytes[from + 1] !== DASH) return this.#afterGreaterThan(from)
    const content = from + 2
    for (let i = content; ; i++) {
      i = bytes.indexOf(GREATER_THAN, i)
      if (i < 0) return this.#length
      // `<!-->` and `<!--->` are whole comments; `--!>` ends one as `-->` does.
      if (i === content || (i === content + 1 && bytes[content] === DASH)) return i + 1
      const dashesEnd = bytes[i - 1] === EXCLAMATION ? i - 1 : i
      if (dashesEnd - 2 >= content && bytes[dashesEnd - 1] === DASH && bytes[dashesEnd - 2] === DASH) return i + 1
    }
  }

  #afterGreaterThan(from: number): number {
    const at = this.bytes.indexOf(GREATER_THAN, from)
    return at < 0 ? this.#length : at + 1
  }
}

export type Token = typeof END_OF_INPUT | typeof TEXT | typeof RAW_TEXT | typeof START_TAG | typeof END_TAG

export const END_OF_INPUT = 0
export const TEXT = 1
/** Content of `script`, `title`, `textarea`…; `tag` is the element. */
export const RAW_TEXT = 2
export const START_TAG = 3
export const END_TAG = 4

const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e
const SLASH = 0x2f
const EXCLAMATION = 0x21
const QUESTION = 0x3f
const EQUALS = 0x3d
const DASH = 0x2d
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27

function mayBeHidden(bytes: Buffer, start: number, end: number): boolean {
  return end - start === 6 && (bytes[start]! | 0x20) === 0x68
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
