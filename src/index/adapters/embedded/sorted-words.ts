import type { NumberedWords } from './numbered-words.ts'

/** 4 bytes of a word and its number are one exact number: most words are sorted without looking at them again. */
const NUMBERS = 1 << 21
/** So few are sorted by hand. */
const FEW = 12

type Words = Pick<NumberedWords, 'count' | 'bytes' | 'ends'>

/** Numbers of words by the order of their bytes. */
export function sortedWords(words: Words): Uint32Array {
  const sorted = new Uint32Array(words.count)
  for (let id = 0; id < words.count; id++) sorted[id] = id
  sortFrom(words, sorted, 0)
  return sorted
}

/** Sorts words that are equal in the bytes before `offset`. */
function sortFrom(words: Words, ids: Uint32Array, offset: number): void {
  if (ids.length <= FEW) {
    sortFew(words, ids)
    return
  }
  const keys = new Float64Array(ids.length)
  for (let i = 0; i < ids.length; i++) keys[i] = keyOf(words, ids[i]!, offset) * NUMBERS + ids[i]!
  keys.sort()
  for (let from = 0; from < ids.length; ) {
    const key = Math.floor(keys[from]! / NUMBERS)
    let to = from
    do ids[to] = keys[to]! - key * NUMBERS
    while (++to < ids.length && Math.floor(keys[to]! / NUMBERS) === key)
    // Of words that have ended there can be but one.
    if (to - from > 1 && key > 0) sortFrom(words, ids.subarray(from, to), offset + 4)
    from = to
  }
}

/** Four bytes; behind its end a word has zeros, of which there are none in words. */
function keyOf({ bytes, ends }: Words, id: number, offset: number): number {
  const start = (id === 0 ? 0 : ends[id - 1]!) + offset
  const end = ends[id]!
  let key = 0
  for (let at = start; at < start + 4; at++) key = (key << 8) | (at < end ? bytes[at]! : 0)
  return key >>> 0
}

function sortFew(words: Words, ids: Uint32Array): void {
  for (let i = 1; i < ids.length; i++) {
    const id = ids[i]!
    let to = i
    for (; to > 0 && compareWords(words, ids[to - 1]!, id) > 0; to--) ids[to] = ids[to - 1]!
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
