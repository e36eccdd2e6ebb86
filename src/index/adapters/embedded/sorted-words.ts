import type { NumberedWords } from './numbered-words.ts'

/** So few are sorted by hand. */
const FEW = 12
const DIGITS = 256
const KEY_BYTES = 4

type Words = Pick<NumberedWords, 'count' | 'bytes' | 'ends'>

/** Ids of words, and of each four bytes as a number. */
interface Keyed {
  readonly ids: Uint32Array
  readonly keys: Uint32Array
}

/**
 * Numbers of words by the order of their bytes: four of them are a number; by these all are sorted, by counting, one byte at
 * a time from the last to the first; then, by the next four, those that are alike so far.
 */
export function sortedWords(words: Words): Uint32Array {
  const sorted = keyed(words.count)
  for (let id = 0; id < words.count; id++) sorted.ids[id] = id
  sortFrom(words, sorted, keyed(words.count), 0, words.count, 0)
  return sorted.ids
}

const keyed = (count: number): Keyed => ({ ids: new Uint32Array(count), keys: new Uint32Array(count) })

/** Sorts words that are equal in the bytes before `offset`. */
function sortFrom(words: Words, sorted: Keyed, spare: Keyed, from: number, to: number, offset: number): void {
  const { ids, keys } = sorted
  if (to - from <= FEW) {
    sortFew(words, ids, from, to)
    return
  }
  for (let i = from; i < to; i++) keys[i] = keyOf(words, ids[i]!, offset)
  sortMany(sorted, spare, from, to)
  for (let first = from; first < to; ) {
    const key = keys[first]!
    let next = first + 1
    while (next < to && keys[next] === key) next++
    // Of words that have ended there can be but one.
    if (next - first > 1 && key > 0) sortFrom(words, sorted, spare, first, next, offset + KEY_BYTES)
    first = next
  }
}

/** Four bytes; behind its end a word has zeros, of which there are none in words. */
function keyOf({ bytes, ends }: Words, id: number, offset: number): number {
  const start = (id === 0 ? 0 : ends[id - 1]!) + offset
  const end = ends[id]!
  let key = 0
  for (let at = start; at < start + KEY_BYTES; at++) key = (key << 8) | (at < end ? bytes[at]! : 0)
  return key >>> 0
}

/** How often each byte stands in each place of a key; then where the next one with it goes. */
const counters = new Uint32Array(KEY_BYTES * DIGITS)

function sortMany(sorted: Keyed, spare: Keyed, from: number, to: number): void {
  const { keys } = sorted
  counters.fill(0)
  for (let i = from; i < to; i++) {
    const key = keys[i]!
    for (let digit = 0; digit < KEY_BYTES; digit++) counters[digit * DIGITS + ((key >>> (8 * digit)) & 0xff)]!++
  }
  let source = sorted
  let target = spare
  for (let digit = 0; digit < KEY_BYTES; digit++) {
    // All have the same.
    if (counters[digit * DIGITS + ((keys[from]! >>> (8 * digit)) & 0xff)] === to - from) continue
    distribute(source, target, from, to, digit)
    const other = source
    source = target
    target = other
  }
  if (source === sorted) return
  sorted.ids.set(source.ids.subarray(from, to), from)
  keys.set(source.keys.subarray(from, to), from)
}

/** Puts words in order of one byte of their keys, and those with an equal one as they come. */
function distribute(source: Keyed, target: Keyed, from: number, to: number, digit: number): void {
  const first = digit * DIGITS
  const shift = 8 * digit
  for (let at = first, next = from; at < first + DIGITS; at++) {
    const having = counters[at]!
    counters[at] = next
    next += having
  }
  for (let i = from; i < to; i++) {
    const key = source.keys[i]!
    const next = counters[first + ((key >>> shift) & 0xff)]!++
    target.keys[next] = key
    target.ids[next] = source.ids[i]!
  }
}

function sortFew(words: Words, ids: Uint32Array, from: number, end: number): void {
  for (let i = from + 1; i < end; i++) {
    const id = ids[i]!
    let to = i
    for (; to > from && compareWords(words, ids[to - 1]!, id) > 0; to--) ids[to] = ids[to - 1]!
    ids[to] = id
  }
}

function compareWords({ bytes, ends }: Words, a: number, b: number): number {
  let atA = a === 0 ? 0 : ends[a - 1]!
  let atB = b === 0 ? 0 : ends[b - 1]!
  const endA = ends[a]!
  const endB = ends[b]!
  while (atA < endA && atB < endB) {
    const difference = bytes[atA++]! - bytes[atB++]!
    if (difference !== 0) return difference
  }
  return endA - atA - (endB - atB)
}
