import {
  allOf, byteAt, classOf, DASH, equal64, EQUALS, EXCLAMATION, find, GREATER_THAN, hasText, isLetter, isOneOf, isSpace,
  LESS_THAN, nameEnds, oneOf64, QUESTION, SLASH,
} from './bytes'
import { INPUT, VALUE_ENDS, VALUE_STARTS } from './layout'
import { attributeNamed } from './names'
import { Attribute, ENDS_UNQUOTED, PARTS_ATTRIBUTES } from './tables'

/** The twin of the tokenizer states of `scanner.ts` and `raw-text.ts`: tags with their attributes, and where things end. */

export let selfClosing: bool = false
/** A bit for each attribute that is there; the places of their values are in `VALUE_STARTS` and `VALUE_ENDS`. */
export let present: u32 = 0

/** Which attributes are noted. */
export const NONE = 0
export const HIDDEN_ONLY = 1
export const ALL = 2

@inline export function has(attribute: i32): bool {
  return (present & (1 << attribute)) != 0
}

@inline export function valueStart(attribute: i32): usize {
  return INPUT + load<u32>(VALUE_STARTS + attribute * 4)
}

@inline export function valueEnd(attribute: i32): usize {
  return INPUT + load<u32>(VALUE_ENDS + attribute * 4)
}

/** The place behind the name of the tag that begins here, with or without a slash: its first letter needs not be looked at. */
@inline export function tagNameEnd(open: usize, end: usize): usize {
  for (let at = open + 2; at < end; at += 16) {
    const mask = i8x16.bitmask(isOneOf(v128.load(at), nameEnds(), allOf(0x0f)))
    if (mask != 0) return at + ctz(mask)
  }
  return end
}

/** From behind the name: the place behind the tag's `>`, or 0 when it has none. */
@inline export function readAttributes(from: usize, end: usize, wanted: i32): usize {
  present = 0
  if (byteAt(from) == GREATER_THAN) {
    selfClosing = false
    return from + 1
  }
  const after = wanted == ALL ? <usize>0 : passAttributes(from, end, wanted == HIDDEN_ONLY)
  return after == 0 ? readEachAttribute(from, end, wanted) : after
}

/**
 * The same for attributes that nobody wants, as long as all are written `name="value"` or without a value; else 0. Then an `=`
 * outside of quotes stands behind a name and before a quote, and no other quote begins a value.
 */
function passAttributes(from: usize, end: usize, mayHide: bool): usize {
  let quoted: u64 = 0
  let equalsBefore: u64 = 0
  let partsBefore: u64 = 0
  let lettersBefore: u64 = 0
  for (let at = from; at < end; at += 64) {
    const a = v128.load(at)
    const b = v128.load(at, 16)
    const c = v128.load(at, 32)
    const d = v128.load(at, 48)
    const quotes = equal64(a, b, c, d, allOf(0x22))
    const inside = oddOnes(quotes) ^ quoted
    const closes = equal64(a, b, c, d, allOf(0x3e)) & ~inside
    const equals = equal64(a, b, c, d, allOf(0x3d)) & ~inside
    const parts = oneOf64(a, b, c, d, nameEnds()) | quotes
    let odd = ((equals << 1) | equalsBefore) ^ (quotes & inside)
    odd |= equals & ((parts << 1) | partsBefore)
    if (mayHide) {
      // `hidden` has two in a row, and hardly any other name does.
      const small = allOf(0x20)
      const wanted = allOf(0x64)
      const letters = equal64(v128.or(a, small), v128.or(b, small), v128.or(c, small), v128.or(d, small), wanted)
      odd |= letters & ((letters << 1) | lettersBefore) & ~inside
      lettersBefore = letters >> 63
    }
    if ((odd & ((closes & -closes) - 1)) != 0) return 0
    if (closes != 0) {
      const close = at + <usize>ctz(closes)
      selfClosing = byteAt(close - 1) == SLASH
      return close + 1
    }
    quoted = <u64>(<i64>inside >> 63)
    equalsBefore = equals >> 63
    partsBefore = parts >> 63
  }
  return 0
}

/** From each first, third… bit that is set up to the one before the next. */
@inline function oddOnes(bits: u64): u64 {
  let sums = bits ^ (bits << 1)
  sums ^= sums << 2
  sums ^= sums << 4
  sums ^= sums << 8
  sums ^= sums << 16
  return sums ^ (sums << 32)
}

function readEachAttribute(from: usize, end: usize, wanted: i32): usize {
  let at = from
  while (at < end) {
    let slashAt: usize = 0
    while (at < end && (classOf(byteAt(at)) & PARTS_ATTRIBUTES) != 0) {
      if (byteAt(at) == SLASH) slashAt = at
      at++
    }
    if (at >= end) return 0
    if (byteAt(at) == GREATER_THAN) {
      selfClosing = slashAt == at - 1
      return at + 1
    }
    const nameStart = at
    const behindName = attributeNameEnd(at + 1, end)
    at = behindName
    let valueStart = behindName
    let valueEnd = behindName
    if (load<u16>(at) == EQUALS_AND_QUOTE) {
      // As nearly all are written.
      valueStart = at + 2
      valueEnd = find(0x22, valueStart, end)
      if (valueEnd == end) return 0
      at = valueEnd + 1
    } else {
      while (at < end && isSpace(byteAt(at))) at++
      if (at < end && byteAt(at) == EQUALS) {
        at++
        while (at < end && isSpace(byteAt(at))) at++
        if (at >= end) return 0
        const quote = byteAt(at)
        if (quote == 0x22 || quote == 0x27) {
          valueStart = at + 1
          valueEnd = find(quote, valueStart, end)
          if (valueEnd == end) return 0
          at = valueEnd + 1
        } else {
          valueStart = at
          while (at < end && (classOf(byteAt(at)) & ENDS_UNQUOTED) == 0) at++
          valueEnd = at
        }
      }
    }
    if (wanted == ALL) note(attributeNamed(nameStart, behindName), valueStart, valueEnd)
    else if (wanted == HIDDEN_ONLY && behindName - nameStart == 6 && hasText(nameStart, 'hidden'))
      note(Attribute.hidden, valueStart, valueEnd)
  }
  return 0
}

const EQUALS_AND_QUOTE: u16 = 0x223d

@inline function attributeNameEnd(from: usize, end: usize): usize {
  for (let at = from; at < end; at += 16) {
    const bytes = v128.load(at)
    const mask = i8x16.bitmask(v128.or(isOneOf(bytes, nameEnds(), allOf(0x0f)), i8x16.eq(bytes, allOf(0x3d))))
    if (mask != 0) return at + ctz(mask)
  }
  return end
}

@inline function note(attribute: i32, start: usize, end: usize): void {
  if (attribute == 0 || has(attribute)) return
  present |= 1 << attribute
  store<u32>(VALUE_STARTS + attribute * 4, <u32>(start - INPUT))
  store<u32>(VALUE_ENDS + attribute * 4, <u32>(end - INPUT))
}

/** Does the value equal this text in any case? */
export function valueIs(attribute: i32, text: string): bool {
  return valueEnd(attribute) - valueStart(attribute) == text.length && hasText(valueStart(attribute), text)
}

/** The end of a text: markup, or the end of the document. */
export function textTokenEnd(from: usize, end: usize): usize {
  for (let at = from + 1; at < end; at++) {
    at = find(LESS_THAN, at, end)
    if (isMarkup(at, end)) return at
  }
  return end
}

/** Does markup begin with this `<`? */
@inline export function isMarkup(at: usize, end: usize): bool {
  const byte = byteAt(at + 1)
  return isLetter(byte) || byte == EXCLAMATION || byte == QUESTION || (byte == SLASH && at + 2 < end)
}

export function afterGreaterThan(from: usize, end: usize): usize {
  return min(find(GREATER_THAN, from, end) + 1, end)
}

/** Behind a comment, doctype or bogus comment that begins after `<!`. */
export function afterDeclaration(from: usize, end: usize): usize {
  if (byteAt(from) != DASH || byteAt(from + 1) != DASH) return afterGreaterThan(from, end)
  const content = from + 2
  for (let at = content; at < end; at++) {
    at = find(GREATER_THAN, at, end)
    if (at >= end) return end
    if (at == content || (at == content + 1 && byteAt(content) == DASH)) return at + 1
    const dashesEnd = byteAt(at - 1) == EXCLAMATION ? at - 1 : at
    if (dashesEnd - 2 >= content && byteAt(dashesEnd - 1) == DASH && byteAt(dashesEnd - 2) == DASH) return at + 1
  }
  return end
}

export function cdataEnd(from: usize, end: usize): usize {
  for (let at = from; at < end; at++) {
    at = find(0x5d, at, end)
    if (at + 2 >= end) return end
    if (byteAt(at + 1) == 0x5d && byteAt(at + 2) == GREATER_THAN) return at
  }
  return end
}

/** The place of the `<` of the end tag, or `end` when there is none. */
export function rawTextEnd(from: usize, end: usize, name: usize, nameLength: usize): usize {
  for (let at = from; at < end; at++) {
    at = find(LESS_THAN, at, end)
    if (at >= end) return end
    if (byteAt(at + 1) == SLASH && tagNameAt(at + 2, end, name, nameLength)) return at
  }
  return end
}

export function scriptEnd(from: usize, end: usize, name: usize): usize {
  for (let at = from; at < end; at++) {
    at = find(LESS_THAN, at, end)
    if (at >= end) return end
    if (byteAt(at + 1) == SLASH && tagNameAt(at + 2, end, name, 6)) return at
    if (byteAt(at + 1) == EXCLAMATION && byteAt(at + 2) == DASH && byteAt(at + 3) == DASH) {
      at = escapedScriptEnd(at + 2, end, name)
      if (at >= end || byteAt(at) == LESS_THAN) return at
    }
  }
  return end
}

/** The `<` at which the script ends, the `>` at which the escape ends, or `end`. */
function escapedScriptEnd(from: usize, end: usize, name: usize): usize {
  let doubleEscaped = false
  for (let at = from; at < end; at++) {
    const byte = byteAt(at)
    if (byte == GREATER_THAN) {
      if (at >= from + 2 && byteAt(at - 1) == DASH && byteAt(at - 2) == DASH) return at
    } else if (byte == LESS_THAN) {
      const isEnd = byteAt(at + 1) == SLASH
      if (!tagNameAt(at + (isEnd ? 2 : 1), end, name, 6)) continue
      if (isEnd && !doubleEscaped) return at
      doubleEscaped = !isEnd
    }
  }
  return end
}

function tagNameAt(at: usize, end: usize, name: usize, length: usize): bool {
  const after = at + length
  if (after >= end) return false
  for (let i: usize = 0; i < length; i++) if ((byteAt(at + i) | 0x20) != byteAt(name + i)) return false
  const byte = byteAt(after)
  return byte == GREATER_THAN || byte == SLASH || isSpace(byte)
}
