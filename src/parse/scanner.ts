import { Attribute, attributeTable } from './attributes.ts'
import { byteClasses, ENDS_ATTRIBUTE_NAME, ENDS_TAG_NAME, ENDS_UNQUOTED, PARTS_ATTRIBUTES } from './byte-classes.ts'
import type { CurrentToken } from './current-token.ts'
import { findByte } from './find-byte.ts'
import { ForeignContext } from './foreign.ts'
import { packed } from './names.ts'
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
  readonly view: DataView
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
  /** Whether texts are tokens; else they are only passed over. */
  tellsTexts = true

  #at = 0
  /** Whether the text that is passed over is written. */
  #isWritten = false
  readonly #length: number
  readonly #wanted: Uint8Array | undefined
  /** Element whose raw text comes next, or 0. */
  #rawIn = 0
  #present = 0
  readonly #valueStart: number[] = new Array(32).fill(0)
  readonly #valueEnd: number[] = new Array(32).fill(0)
  readonly #foreign = new ForeignContext()
  /** Whether `svg` or `math` is open. */
  #isForeign = false

  /**
   * `wanted`: by tag number, the elements whose attributes will be asked for, apart from `hidden`, which any may have; all of
   * them if it is not given.
   */
  constructor(bytes: Buffer, wanted?: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#wanted = wanted
    this.#length = bytes.length
  }

  /**
   * All that a tag takes is done here, or in what is small enough for the compiler to make it part of this: behind a call it
   * has to find out anew where the bytes are.
   */
  next(): Token {
    if (this.#rawIn !== 0) return this.#rawText()
    const { bytes } = this
    const length = this.#length
    const classes = byteClasses
    let i = this.#at
    let from = i
    let isEnd = false
    let isInText = false
    for (;;) {
      if (i >= length) return this.#finish()
      if (bytes[i] !== LESS_THAN) {
        if (this.tellsTexts) return this.#text(i)
        i = this.#passText(i, false)
        if (i >= length) return this.#finish()
        isInText = true
      }
      from = i + 1
      isEnd = from < length && bytes[from] === SLASH
      if (isEnd) from++
      if (from < length && isLetter(bytes[from]!)) break
      if (this.#isCdata(i)) return this.#cdata(i + 9)
      const after = this.#afterOther(i)
      const isText = after === i
      if (!isText) i = after
      else if (this.tellsTexts) return this.#text(i)
      else i = this.#passText(i, isInText)
      isInText = isText
    }

    const view = this.view
    const last = length - 9
    let tag = NONE
    let wanted = true
    let present = 0
    let slashAt = -1
    let nameStart = from
    // A name and what belongs to it: the first is that of the tag, others are those of attributes.
    for (;;) {
      const ends = tag === NONE ? ENDS_TAG_NAME : ENDS_ATTRIBUTE_NAME
      let first = 0
      let second = 0
      let byte = 0
      i = nameStart
      if (i <= last) {
        // Four bytes at once: what ends names is below 0x40. Of other bytes letters, and they alone, become lower case by 0x20.
        first = view.getInt32(i)
        let marks = ~(first | (first << 1)) & 0x80808080
        if (marks !== 0) {
          const size = Math.clz32(marks)
          byte = (first << size) >>> 24
          first = (first | 0x20202020) & ~(-1 >>> size)
          i += size >> 3
        } else {
          first |= 0x20202020
          second = view.getInt32(i + 4)
          marks = ~(second | (second << 1)) & 0x80808080
          const size = Math.clz32(marks)
          if (marks !== 0) {
            byte = (second << size) >>> 24
            second = (second | 0x20202020) & ~(-1 >>> size)
          } else {
            byte = bytes[i + 8]!
            second |= 0x20202020
          }
          i += 4 + (size >> 3)
        }
      }
      if (i === nameStart || (classes[byte]! & ends) === 0) {
        const isPacked = i === nameStart + 8
        i++
        while (i < length && (classes[bytes[i]!]! & ends) === 0) i++
        if (i >= length) return this.#finish()
        byte = bytes[i]!
        if (!isPacked) {
          const isAsked = wanted || i - nameStart === HIDDEN_BYTES
          first = isAsked ? packed(bytes, nameStart, i) : 0
          second = isAsked ? packed(bytes, nameStart + 4, i) : 0
        }
      }

      if (tag === NONE) {
        tag = tagTable.lookup(bytes, nameStart, i, first, second)
        wanted = this.#wanted === undefined || this.#wanted[tag] === 1
        this.end = i
      } else {
        const nameEnd = i
        let valueStart = i
        let valueEnd = i
        while (isSpace(byte)) {
          if (++i >= length) return this.#finish()
          byte = bytes[i]!
        }
        if (byte === EQUALS) {
          do {
            if (++i >= length) return this.#finish()
            byte = bytes[i]!
          } while (isSpace(byte))
          if (byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE) {
            valueStart = i + 1
            valueEnd = findByte(bytes, view, byte, valueStart)
            if (valueEnd < 0) return this.#finish()
            i = valueEnd + 1
          } else {
            valueStart = i
            while (i < length && (classes[bytes[i]!]! & ENDS_UNQUOTED) === 0) i++
            valueEnd = i
          }
          if (i >= length) return this.#finish()
          byte = bytes[i]!
        }
        if (wanted || first === HIDDEN) {
          const id = attributeTable.lookup(bytes, nameStart, nameEnd, first, second)
          // Of an attribute that is given twice the first counts.
          if (id !== 0 && (present & (1 << id)) === 0) {
            present |= 1 << id
            this.#valueStart[id] = valueStart
            this.#valueEnd[id] = valueEnd
          }
        }
      }

      while ((classes[byte]! & PARTS_ATTRIBUTES) !== 0) {
        if (byte === SLASH) slashAt = i
        if (++i >= length) return this.#finish()
        byte = bytes[i]!
      }
      if (byte === GREATER_THAN) break
      nameStart = i
    }
    this.start = from
    this.tag = tag
    this.#at = i + 1
    this.#present = present
    if (isEnd) {
      if (this.#isForeign) this.#endForeign(tag)
      return END_TAG
    }
    this.selfClosing = slashAt === i - 1
    this.foreign = (this.#isForeign || tag === Tag.svg || tag === Tag.math) && this.#startForeign(tag)
    if ((tagFlags[tag]! & (RAW | RCDATA)) !== 0 && !this.foreign) this.#rawIn = tag
    return START_TAG
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
    let at = this.#passText(from, false)
    while (at < this.#length && !this.#beginsMarkup(at)) at = this.#passText(at, true)
    this.start = from
    this.end = this.#at = at
    this.references = true
    return TEXT
  }

  /** Answers where the next `<` is. `goesOn`: the text goes on with a `<` that begins no markup, and where it went before. */
  #passText(from: number, goesOn: boolean): number {
    const { textTo } = this
    if (!goesOn) this.#isWritten = textTo !== undefined && !textTo.isFull
    return this.#isWritten ? textTo!.addMarkupText(from) : this.#lessThanAfter(from)
  }

  #lessThanAfter(place: number): number {
    const found = findByte(this.bytes, this.view, LESS_THAN, place + 1)
    return found < 0 ? this.#length : found
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
    this.end = this.#at = rawTextEnd(this.bytes, this.view, this.#at, this.#length, tagName(tag))
    this.tag = tag
    this.references = (tagFlags[tag]! & RCDATA) !== 0
    return RAW_TEXT
  }

  #startForeign(tag: number): boolean {
    const breaksOut = this.has(Attribute.color) || this.has(Attribute.face) || this.has(Attribute.size)
    const isForeign = this.#foreign.start(tag, this.selfClosing, breaksOut, this.#hasHtmlEncoding())
    this.#isForeign = this.#foreign.touched
    return isForeign
  }

  #endForeign(tag: number): void {
    this.#foreign.end(tag)
    this.#isForeign = this.#foreign.touched
  }

  #hasHtmlEncoding(): boolean {
    if (this.tag !== Tag.annotationXml || !this.has(Attribute.encoding)) return false
    const value = this.bytes.toString('latin1', this.valueStart(Attribute.encoding), this.valueEnd(Attribute.encoding))
    return /^(text\/html|application\/xhtml\+xml)$/i.test(value)
  }

  #isCdata(lessThanAt: number): boolean {
    if (!this.#isForeign || !this.#foreign.inside) return false
    return this.bytes.toString('latin1', lessThanAt, lessThanAt + 9) === '<![CDATA['
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

  /** Behind what begins like a comment, doctype or tag and is no tag; `at` if the `<` that stands there is text. */
  #afterOther(at: number): number {
    const { bytes } = this
    const byte = at + 1 < this.#length ? bytes[at + 1] : 0
    if (byte === EXCLAMATION) return this.#afterDeclaration(at + 2)
    if (byte === QUESTION) return this.#afterGreaterThan(at + 2)
    if (byte !== SLASH || at + 2 >= this.#length) return at
    return bytes[at + 2] === GREATER_THAN ? at + 3 : this.#afterGreaterThan(at + 2)
  }

  /** Behind a comment, doctype or bogus comment that begins after `<!`. */
  #afterDeclaration(from: number): number {
    const { bytes, view } = this
    if (bytes[from] !== DASH || bytes[from + 1] !== DASH) return this.#afterGreaterThan(from)
    const content = from + 2
    for (let i = content; ; i++) {
      i = findByte(bytes, view, GREATER_THAN, i)
      if (i < 0) return this.#length
      // `<!-->` and `<!--->` are whole comments; `--!>` ends one as `-->` does.
      if (i === content || (i === content + 1 && bytes[content] === DASH)) return i + 1
      const dashesEnd = bytes[i - 1] === EXCLAMATION ? i - 1 : i
      if (dashesEnd - 2 >= content && bytes[dashesEnd - 1] === DASH && bytes[dashesEnd - 2] === DASH) return i + 1
    }
  }

  #afterGreaterThan(from: number): number {
    const at = findByte(this.bytes, this.view, GREATER_THAN, from)
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

/** No tag has this number. */
const NONE = -1

const HIDDEN_BYTES = 6
/** The beginning of `hidden`, with which no other attribute that counts begins. */
const HIDDEN = packed(Buffer.from('hidd'), 0, 4)

function isLetter(byte: number): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
