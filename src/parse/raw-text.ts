import { findByte } from './find-byte.ts'

/**
 * Where the content of `script`, `style`, `title` and their like ends: tokenizer states of the HTML standard, 13.2.5.2 to
 * 13.2.5.31, over bytes. Each byte is looked at a fixed number of times, so unclosed elements cost one pass.
 */

const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e
const SLASH = 0x2f
const DASH = 0x2d

/** The place of the `<` of the end tag, or `end` when there is none. */
export function rawTextEnd(bytes: Buffer, view: DataView, from: number, end: number, name: string): number {
  if (name === 'plaintext') return end
  if (name === 'script') return scriptEnd(bytes, view, from, end)
  for (let i = from; ; i++) {
    i = findByte(bytes, view, LESS_THAN, i)
    if (i < 0 || i >= end) return end
    if (bytes[i + 1] === SLASH && tagNameAt(bytes, i + 2, end, name)) return i
  }
}

function scriptEnd(bytes: Buffer, view: DataView, from: number, end: number): number {
  for (let i = from; ; i++) {
    i = findByte(bytes, view, LESS_THAN, i)
    if (i < 0 || i >= end) return end
    if (bytes[i + 1] === SLASH && tagNameAt(bytes, i + 2, end, 'script')) return i
    if (bytes[i + 1] === 0x21 && bytes[i + 2] === DASH && bytes[i + 3] === DASH) {
      const escaped = escapedScriptEnd(bytes, i + 2, end)
      if (escaped.closed) return escaped.at
      i = escaped.at
    }
  }
}

/**
 * Inside `<!--` of a script an inner `<script` hides the next `</script`. `from` is at the two dashes, which may already
 * belong to the closing `-->`. `closed`: the script ends at `at`; otherwise the escape ends there.
 */
function escapedScriptEnd(bytes: Buffer, from: number, end: number): { readonly closed: boolean; readonly at: number } {
  let doubleEscaped = false
  for (let i = from; i < end; i++) {
    const byte = bytes[i]
    if (byte === GREATER_THAN) {
      if (i >= from + 2 && bytes[i - 1] === DASH && bytes[i - 2] === DASH) return { closed: false, at: i }
    } else if (byte === LESS_THAN) {
      const isEnd = bytes[i + 1] === SLASH
      if (!tagNameAt(bytes, i + (isEnd ? 2 : 1), end, 'script')) continue
      if (isEnd && !doubleEscaped) return { closed: true, at: i }
      doubleEscaped = !isEnd
    }
  }
  return { closed: true, at: end }
}

/** Is `name` here, in any case, and the name complete? */
export function tagNameAt(bytes: Buffer, at: number, end: number, name: string): boolean {
  const after = at + name.length
  if (after >= end) return false
  for (let i = 0; i < name.length; i++) if ((bytes[at + i]! | 0x20) !== name.charCodeAt(i)) return false
  const byte = bytes[after]!
  return byte === GREATER_THAN || byte === SLASH || isSpace(byte)
}

/** White space as the HTML standard has it: tab, line feed, form feed, carriage return, space. */
export function isSpace(byte: number): boolean {
  return byte <= 0x20 && (byte === 0x20 || byte === 0x0a || byte === 0x09 || byte === 0x0d || byte === 0x0c)
}
