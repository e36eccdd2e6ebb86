// The engine scans for a class of characters several times faster than a loop over them can.
const NOT_PLAIN = /[^\w\-.~!$&'()*+,;=:@/?#]/

const PERCENT = 1
const ENCODE = 2

/** What an ASCII character needs: nothing, a look at the two digits after it, or an escape. */
const needs = new Uint8Array(128)
for (let code = 0; code <= 0x20; code++) needs[code] = ENCODE
for (const character of '"<>[\\]^`{|}\x7f') needs[character.charCodeAt(0)] = ENCODE
needs['%'.charCodeAt(0)] = PERCENT

/** The value of a hexadecimal digit, or -1. */
const digit = new Int8Array(128).fill(-1)
for (let value = 0; value < 16; value++) {
  digit[value.toString(16).charCodeAt(0)] = value
  digit[value.toString(16).toUpperCase().charCodeAt(0)] = value
}

const unreserved = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~')
  unreserved[character.charCodeAt(0)] = 1

/**
 * One spelling for what RFC 3986 calls equivalent: escapes in upper case, unreserved characters bare, everything that may
 * not stand in a path or query escaped. Reserved characters stay as they are, since servers tell `/` from `%2F`. A `%`
 * that begins no escape becomes `%25`: left bare, it could form an escape with what is decoded after it.
 */
export function normalizeEscapes(text: string): string {
  const at = text.search(NOT_PLAIN)
  return at < 0 ? text : rewrite(text.toWellFormed(), at)
}

function rewrite(text: string, from: number): string {
  let result = text.slice(0, from)
  let copied = from
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 128 && needs[code] === 0) continue
    result += text.slice(copied, at)
    if (code === 0x25) {
      const value = escapedByte(text, at)
      result += value < 0 ? '%25' : value < 128 && unreserved[value] ? String.fromCharCode(value) : escaped(value)
      if (value >= 0) at += 2
    } else {
      const character = String.fromCodePoint(text.codePointAt(at)!)
      result += encodeURIComponent(character)
      at += character.length - 1
    }
    copied = at + 1
  }
  return result + text.slice(copied)
}

/** The byte that the escape at `at` stands for, or -1. */
function escapedByte(text: string, at: number): number {
  const high = text.charCodeAt(at + 1)
  const low = text.charCodeAt(at + 2)
  // Past the end the code is NaN, which no comparison holds for.
  if (!(high < 128 && low < 128) || digit[high]! < 0 || digit[low]! < 0) return -1
  return digit[high]! * 16 + digit[low]!
}

function escaped(byte: number): string {
  return `%${byte < 16 ? '0' : ''}${byte.toString(16).toUpperCase()}`
}
