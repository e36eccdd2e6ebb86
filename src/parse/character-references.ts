import { LEGACY_NAMES, NAMED_REFERENCES } from './named-references.ts'
import { HIGH_CONTROLS } from './utf8.ts'

const AMPERSAND = 0x26
const SEMICOLON = 0x3b
const HASH = 0x23
const REPLACEMENT = 0xfffd
/** Longest name in the table; a longer run of letters is none. */
const LONGEST_NAME = 31
const LONGEST_LEGACY_NAME = 6

/** Reads character references, `&amp;` or `&#38;`, as the HTML standard has them (13.2.5.72 to 13.2.5.80). */
export class ReferenceReader {
  /** What the reference stands for: one code point, and a second or 0. */
  first = 0
  second = 0

  /** Answers the place behind the reference whose `&` is at `at`, or -1: the `&` stands for itself. */
  read(bytes: Buffer, at: number, end: number, inAttribute: boolean): number {
    this.second = 0
    if (at + 1 >= end) return -1
    return bytes[at + 1] === HASH ? this.#numeric(bytes, at + 2, end) : this.#named(bytes, at + 1, end, inAttribute)
  }

  #numeric(bytes: Buffer, from: number, end: number): number {
    const isHex = from < end && (bytes[from]! | 0x20) === 0x78
    const digits = isHex ? from + 1 : from
    let i = digits
    let code = 0
    for (; i < end; i++) {
      const digit = digitOf(bytes[i]!, isHex)
      if (digit < 0) break
      if (code <= 0x10ffff) code = code * (isHex ? 16 : 10) + digit
    }
    if (i === digits) return -1
    this.first = scalarValue(code)
    return i < end && bytes[i] === SEMICOLON ? i + 1 : i
  }

  #named(bytes: Buffer, from: number, end: number, inAttribute: boolean): number {
    const limit = Math.min(end, from + LONGEST_NAME + 1)
    let i = from
    while (i < limit && isAlphanumeric(bytes[i]!)) i++
    if (i === from) return -1
    const name = bytes.toString('latin1', from, i)
    if (i < end && bytes[i] === SEMICOLON && this.#take(table().get(name))) return i + 1
    for (let length = Math.min(LONGEST_LEGACY_NAME, name.length); length >= 2; length--) {
      const prefix = name.slice(0, length)
      if (!legacy().has(prefix)) continue
      const after = from + length
      // In attributes `?a=1&copy=2` means what it says.
      if (inAttribute && after < end && (bytes[after] === 0x3d || isAlphanumeric(bytes[after]!))) return -1
      this.#take(table().get(prefix))
      return after
    }
    return -1
  }

  #take(text: string | undefined): boolean {
    if (text === undefined) return false
    this.first = text.codePointAt(0)!
    this.second = text.length > (this.first > 0xffff ? 2 : 1) ? text.codePointAt(this.first > 0xffff ? 2 : 1)! : 0
    return true
  }
}

/** The text of an attribute's value or of an element like `title`, with references resolved. Always valid Unicode. */
export function decodeText(bytes: Buffer, start: number, end: number, inAttribute: boolean): string {
  let isAscii = true
  let at = start
  for (; at < end; at++) {
    const byte = bytes[at]!
    if (byte === AMPERSAND) break
    if (byte >= 0x80 || byte === 0) isAscii = false
  }
  if (at === end) return isAscii ? bytes.toString('latin1', start, end) : utf8(bytes, start, end)
  const reader = new ReferenceReader()
  let text = ''
  let from = start
  for (; at < end; at++) {
    if (bytes[at] !== AMPERSAND) continue
    const after = reader.read(bytes, at, end, inAttribute)
    if (after < 0) continue
    text += utf8(bytes, from, at) + String.fromCodePoint(reader.first)
    if (reader.second !== 0) text += String.fromCodePoint(reader.second)
    from = after
    at = after - 1
  }
  return text + utf8(bytes, from, end)
}

function utf8(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end)
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}

/** What a numeric reference stands for: 0x80 to 0x9f as in windows-1252, and no code that is not a character. */
function scalarValue(code: number): number {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return REPLACEMENT
  return code >= 0x80 && code <= 0x9f ? HIGH_CONTROLS[code - 0x80]! : code
}

function digitOf(byte: number, isHex: boolean): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return isHex && lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

function isAlphanumeric(byte: number): boolean {
  const lower = byte | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39)
}

/** Unpacked when the first page needs it: most programs that import this parse no page at all. */
const table = once(() => {
  const entries = NAMED_REFERENCES.trim().split(/[\n,]/)
  return new Map(
    entries.flatMap((entry) => {
      const [codes, ...names] = entry.split(' ')
      const text = String.fromCodePoint(...codes!.split('_').map((code) => Number.parseInt(code, 16)))
      return names.map((name): [string, string] => [name, text])
    }),
  )
})

const legacy = once(() => new Set(LEGACY_NAMES.trim().split(/\s+/)))

function once<T>(make: () => T): () => T {
  let value: T | undefined
  return () => (value ??= make())
}
