import { borrowBuffer, giveBackBuffer } from '../fetch/body-buffers.ts'

/**
 * The text of a page. Those who keep, compare and index it want its bytes, and most pages are read by nobody else; as a
 * string, which waits with its page and then is of no use, it would be most of what the garbage collector has to carry.
 */
export type PageText = string | Utf8Text

/** Less is as well a string. */
const MIN_BYTES = 1024

export class Utf8Text {
  /** Well-formed UTF-8, in borrowed memory. */
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  toString(): string {
    return this.bytes.toString('utf8')
  }
}

/** A copy of what stands there in UTF-8. */
export function textOf(source: Buffer, start: number, end: number): PageText {
  const length = end - start
  if (length < MIN_BYTES) return source.toString('utf8', start, end)
  const bytes = borrowBuffer(length).subarray(0, length)
  source.copy(bytes, 0, start, end)
  return new Utf8Text(bytes)
}

/** Nobody looks at it any more. */
export function giveBackText(text: PageText): void {
  if (typeof text !== 'string') giveBackBuffer(text.bytes)
}

/** At least so many characters (UTF-16 units) from its beginning, or all; at little more than the price of these. */
export function beginningOf(text: PageText, chars: number): string {
  return typeof text === 'string' ? text : text.bytes.toString('utf8', 0, endOfCharacter(text.bytes, 3 * chars + 1))
}

/** In characters (UTF-16 units), of which none has more than three bytes. */
export function isLongerThan(text: PageText, chars: number): boolean {
  if (typeof text === 'string') return text.length > chars
  const { length } = text.bytes
  return length > 3 * chars || (length > chars && text.toString().length > chars)
}

/** In UTF-8. */
export function byteLengthOf(text: PageText): number {
  return typeof text === 'string' ? Buffer.byteLength(text) : text.bytes.length
}

function endOfCharacter(bytes: Buffer, from: number): number {
  let end = from
  while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end++
  return end
}
