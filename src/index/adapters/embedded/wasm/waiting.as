import { LONG, MAX_WAITING, WAITING } from './layout'
import { homeOf, isWord, longKey, numberOf, numbersAtHome } from './table'
import { maxWordBytes } from './tables'

/**
 * Words that wait for their numbers. Looked up many at a time, without a jump that depends on what is found, they come from
 * memory together and not each after the other. A word: its key, place with length, number.
 */
const WORD: usize = 16
const PLACE: usize = 8
const NUMBER: usize = 12
/** Places are less than 64 KiB. */
const LENGTH_SHIFT: u32 = 16

let end: usize = WAITING
/** Of the places of those whose key is not the word itself. */
let longEnd: usize = LONG

@inline export function areMany(): bool {
  return end >= <usize>WAITING + MAX_WAITING * WORD
}

/** Whatever became of the text before. */
export function waitForNone(): void {
  end = WAITING
  longEnd = LONG
}

/** `chunk` has a bit in `ends` for each end of a word, and in `starts` for each start but that of the first, which is `start`. */
@inline export function wait(start: usize, chunk: usize, starts: u64, ends: u64): usize {
  let begins = starts
  let from = start
  let next = end
  let long = longEnd
  for (let rest = ends; rest != 0; rest &= rest - 1) {
    const length = min<u32>(<u32>(chunk + <usize>ctz(rest) - from), maxWordBytes)
    store<u64>(next, load<u64>(from) << (64 - length * 8))
    store<u32>(next, <u32>from | (length << LENGTH_SHIFT), PLACE)
    store<u32>(long, <u32>next)
    long += <usize>(length > 8) << 2
    next += WORD
    from = chunk + <usize>ctz(begins)
    begins &= begins - 1
  }
  end = next
  longEnd = long
  return from
}

/** A word behind which eight bytes can be read. */
export function waitFor(word: usize, wordEnd: usize): void {
  wait(word, wordEnd, 0, 1)
}

/** Finds the numbers of all that wait. Answers how many there are. */
export function find(): u32 {
  for (let at: usize = LONG; at < longEnd; at += 4) {
    const word = <usize>load<u32>(at)
    store<u64>(word, longKey(placeOf(word), lengthOf(word)))
  }
  numbersAtHome(WAITING, end, WORD, NUMBER)
  for (let at: usize = LONG; at < longEnd; at += 4) {
    const word = <usize>load<u32>(at)
    if (!isWord(homeOf(load<u64>(word)), placeOf(word), lengthOf(word))) store<u32>(word, 0, NUMBER)
  }
  const count = <u32>((end - WAITING) / WORD)
  waitForNone()
  return count
}

/** Of the words whose numbers were found, each in turn. */
@inline export function numberAt(i: u32): u32 {
  const word = <usize>WAITING + <usize>i * WORD
  const number = load<u32>(word, NUMBER)
  return number != 0 ? number : numberOf(placeOf(word), lengthOf(word), load<u64>(word))
}

@inline function placeOf(word: usize): usize {
  return <usize>load<u16>(word, PLACE)
}

@inline function lengthOf(word: usize): u32 {
  return load<u32>(word, PLACE) >> LENGTH_SHIFT
}
