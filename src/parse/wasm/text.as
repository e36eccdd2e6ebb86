import { allOf, AMPERSAND, LESS_THAN, SPACE } from './bytes'
import { first, readReference, second, writeUtf8 } from './references'
import { isMarkup, textTokenEnd } from './tokenizer'

/**
 * The twin of `text.ts`. It stores sixteen bytes at a time, also where fewer count, so there must be room for them behind
 * the text.
 */
const LINE_FEED: u32 = 0x0a
const NO_BREAK_SPACE: u32 = 0xa0
const NO_BREAK_LEAD: u32 = 0xc2

let start: usize = 0
let end: usize = 0
let maxEnd: usize = 0

export function resetText(at: usize, maxBytes: u32): void {
  start = end = at
  maxEnd = at + maxBytes
}

@inline export function textEnd(): usize {
  return end
}

@inline function endsWithWord(): bool {
  return end > start && <u32>load<u8>(end - 1) > SPACE
}

export function breakLine(): void {
  if (end == start) return
  if (endsWithWord()) end++
  store<u8>(end - 1, LINE_FEED)
}

export function partWords(): void {
  if (endsWithWord()) store<u8>(end++, SPACE)
}

/** White space, which is most of what stands between tags. */
@inline export function addBlank(): void {
  if (end < maxEnd) partWords()
}

/** Text up to the next markup before `to`; answers where it ends. */
export function addTextToken(from: usize, to: usize): usize {
  return end < maxEnd ? add(from, to, true, true) : textTokenEnd(from, to)
}

/** What looks like markup in it is text as well. */
export function addRawText(from: usize, to: usize, references: bool): void {
  if (end < maxEnd) add(from, to, references, false)
}

function add(from: usize, to: usize, references: bool, endsAtMarkup: bool): usize {
  let at = from
  // Most texts begin with white space.
  if (<u32>load<u8>(at) - 1 < SPACE) at = addSpace(at, to)
  while (at < to) {
    at = copyWords(at, to)
    if (at >= to) break
    const byte = <u32>load<u8>(at)
    if (byte == LESS_THAN && endsAtMarkup && isMarkup(at, to)) return at
    at = byte <= SPACE && byte != 0 ? addSpace(at, to) : addUnusual(at, to, references)
  }
  return to
}

/** Copies up to what needs thought: white space other than a lone space, NUL, `&`, `<`, or a no-break space (two bytes). */
@inline function copyWords(from: usize, to: usize): usize {
  let at = from
  let out = end
  let isParted = out == start || <u32>load<u8>(out - 1) <= SPACE
  const space = allOf(0x20)
  const lead = allOf(0xc2)
  const noBreak = allOf(0xa0)
  const ampersand = allOf(0x26)
  const open = allOf(0x3c)
  while (at < to) {
    const bytes = v128.load(at)
    const spaces = i8x16.bitmask(i8x16.eq(bytes, space))
    const noBreaks = v128.and(i8x16.eq(bytes, lead), i8x16.eq(v128.load(at, 1), noBreak))
    const signs = v128.or(i8x16.eq(bytes, ampersand), i8x16.eq(bytes, open))
    const others = i8x16.bitmask(v128.or(v128.or(i8x16.lt_u(bytes, space), signs), noBreaks))
    let trouble = others | (spaces & ((spaces << 1) | i32(isParted)))
    const left = to - at
    if (left < 16) trouble |= 1 << <i32>left
    v128.store(out, bytes)
    if (trouble != 0) {
      const count = <usize>ctz(trouble)
      end = out + count
      return at + count
    }
    isParted = spaces >> 15 != 0
    at += 16
    out += 16
  }
  end = out
  return at
}

@inline function addSpace(from: usize, to: usize): usize {
  partWords()
  for (let at = from + 1; at < to; at += 16) {
    const bytes = v128.load(at)
    const blank = v128.and(i8x16.le_u(bytes, allOf(0x20)), i8x16.ne(bytes, allOf(0)))
    const others = i8x16.bitmask(blank) ^ 0xffff
    if (others != 0) return min(at + ctz(others), to)
  }
  return to
}

function addUnusual(at: usize, to: usize, references: bool): usize {
  const byte = <u32>load<u8>(at)
  if (byte == 0) return at + 1
  if (byte == NO_BREAK_LEAD && <u32>load<u8>(at + 1) == NO_BREAK_SPACE) {
    partWords()
    return at + 2
  }
  const after = byte == AMPERSAND && references ? readReference(at, to, false) : 0
  if (after == 0) {
    store<u8>(end++, byte)
    return at + 1
  }
  if (first <= SPACE || first == NO_BREAK_SPACE) partWords()
  else end = writeUtf8(end, first)
  if (second != 0) end = writeUtf8(end, second)
  return after
}

/** The twin of `between`: the first byte behind white space, from `from` on. */
export function labelStart(from: usize): usize {
  let at = from
  while (at < end && <u32>load<u8>(at) <= SPACE) at++
  return at
}

/** Where a text from `from` on ends that may have `maxBytes`: before white space, not inside a character. */
export function labelEnd(from: usize, maxBytes: usize): usize {
  let stop = min(end, from + maxBytes)
  while (stop > from && stop < end && (load<u8>(stop) & 0xc0) == 0x80) stop--
  while (stop > from && <u32>load<u8>(stop - 1) <= SPACE) stop--
  return stop
}

/** UTF-16 units of well-formed text: one for each character, two for those of four bytes. */
export function unitsBetween(from: usize, to: usize): i32 {
  let units = 0
  let at = from
  for (; at + 16 <= to; at += 16) {
    const bytes = v128.load(at)
    units += popcnt(i8x16.bitmask(i8x16.gt_s(bytes, i8x16.splat(<i8>0xbf))))
    units += popcnt(i8x16.bitmask(i8x16.ge_u(bytes, i8x16.splat(<i8>0xf0))))
  }
  for (; at < to; at++) {
    const byte = <u32>load<u8>(at)
    units += i32((byte & 0xc0) != 0x80) + i32(byte >= 0xf0)
  }
  return units
}
