import type { NumberedWords } from './numbered-words.ts'

/** 4 bytes of a word and its number are one exact number: most words are sorted without looking at them. */
const NUMBERS = 1 << 21

type Words = Pick<NumberedWords, 'count' | 'bytes' | 'ends'>

/** Numbers of words by the order of their bytes. */
export function sortedWords(words: Words): Uint32Array {
  const { count, bytes, ends } = words
  const keys = new Float64Array(count)
  for (let id = 0, at = 0; id < count; id++) {
    const end = ends[id]!
    let key = 0
    for (let i = 0; i < 4; i++) key = key * 256 + (at + i < end ? bytes[at + i]! : 0)
    keys[id] = key * NUMBERS + id
    at = end
  }
  keys.sort()
  const sorted = new Uint32Array(count)
  for (let i = 0; i < count; i++) sorted[i] = keys[i]! % NUMBERS
  for (let from = 0; from < count; ) {
    const beginning = Math.floor(keys[from]! / NUMBERS)
    let to = from + 1
    while (to < count && Math.floor(keys[to]! / NUMBERS) === beginning) to++
    if (to - from > 1) sorted.subarray(from, to).sort((a, b) => compareWords(words, a, b))
    from = to
  }
  return sorted
}

function compareWords({ bytes, ends }: Words, a: number, b: number): number {
  let atA = a === 0 ? 0 : ends[a - 1]!
  let atB = b === 0 ? 0 : ends[b - 1]!
  const [endA, endB] = [ends[a]!, ends[b]!]
  while (atA < endA && atB < endB) {
    const difference = bytes[atA++]! - bytes[atB++]!
    if (difference !== 0) return difference
  }
  return endA - atA - (endB - atB)
}
