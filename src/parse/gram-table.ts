/** One and a half times the n-grams: a smaller table stays in the cache. */
export const SLOTS = 1 << 17
/** Scores are stored less this. */
export const BASE_SCORE = 53
/** More than the n-grams of one text, by far. */
export const SPOKEN_SLOTS = 512

/** Those of a text, in order. */
export interface Grams {
  readonly count: number
  readonly lows: Int32Array
  readonly highs: Int32Array
}

/**
 * N-grams of up to six bytes with the score that each gives to some languages. `low` is the first four bytes,
 * little-endian; `high` is the fifth, with `LAST_SPACE` where a space follows as the sixth: nothing else ever does.
 * A hash table with open addressing, eight slots to a line of the cache, since it is the cache that a look-up waits for. So
 * the only score of an n-gram, which is all that most have, stands in its slot.
 */
export class GramTable {
  readonly #slots: Int32Array
  readonly #scores: Uint16Array
  /** Slots of the n-grams that have spoken in this text. */
  readonly #spoken = new Int32Array(SPOKEN_SLOTS)

  /**
   * `slots` are pairs: `low`, and the rest (0: the slot is free). `scores` are those of n-grams with several, one after
   * another, led by their count.
   */
  constructor(slots: Int32Array, scores: Uint16Array) {
    this.#slots = slots
    this.#scores = scores
  }

  /** Adds what the n-grams of a text say to the sums of the languages. One that comes again says nothing new. */
  tally({ count, lows, highs }: Grams, sums: Int32Array): void {
    this.#spoken.fill(0)
    if (!this.#knowsAny(lows, highs, count)) return
    for (let i = 0; i < count; i++) this.#tallyOne(slotOf(this.#slots, lows[i]!, highs[i]!), sums)
  }

  /** Looks at all slots at once, so that they come from memory together and not each after the other. */
  #knowsAny(lows: Int32Array, highs: Int32Array, count: number): boolean {
    const slots = this.#slots
    let used = 0
    for (let i = 0; i < count; i++) used |= slots[homeOf(lows[i]!, highs[i]!) + 1]!
    return used !== 0
  }

  #tallyOne(slot: number, sums: Int32Array): void {
    const rest = this.#slots[slot + 1]!
    if (rest === 0 || this.#hasSpoken(slot)) return
    const value = rest >>> VALUE_SHIFT
    if ((rest & ALONE) !== 0) {
      addScore(sums, value)
      return
    }
    const last = value + this.#scores[value]!
    for (let i = value + 1; i <= last; i++) addScore(sums, this.#scores[i]!)
  }

  #hasSpoken(slot: number): boolean {
    const spoken = this.#spoken
    let at = (slot >> 1) & (SPOKEN_SLOTS - 1)
    while (spoken[at] !== 0 && spoken[at] !== slot + 1) at = (at + 1) & (SPOKEN_SLOTS - 1)
    if (spoken[at] !== 0) return true
    spoken[at] = slot + 1
    return false
  }
}

function addScore(sums: Int32Array, score: number): void {
  sums[score >> 8]! += (score & 0xff) + BASE_SCORE
}

/** The slot of an n-gram, or the free one where it would stand. */
export function slotOf(slots: Int32Array, low: number, high: number): number {
  let slot = homeOf(low, high)
  while (slots[slot + 1] !== 0 && (slots[slot] !== low || (slots[slot + 1]! & HIGH_MASK) !== high))
    slot = (slot + 2) & (SLOTS * 2 - 1)
  return slot
}

function homeOf(low: number, high: number): number {
  const mixed = Math.imul(low ^ Math.imul(high + 1, 0x9e3779b1), 0x85ebca6b)
  return ((mixed ^ (mixed >>> 15)) & (SLOTS - 1)) * 2
}

export const LAST_SPACE = 0x100
export const HIGH_MASK = 0x1ff
/** The value is the only score, not the place of many. */
export const ALONE = 0x200
const USED = 0x400
export const VALUE_SHIFT = 11

/** The rest of a slot. */
export function restOf(high: number, value: number, isAlone: boolean): number {
  return (value << VALUE_SHIFT) | USED | (isAlone ? ALONE : 0) | high
}

/** As a table keeps it. */
export function scoreOf(language: number, score: number): number {
  return (language << 8) | score
}
