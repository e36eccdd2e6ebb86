import { mix } from '../../../dedup/mix.ts'
import { FoldedText } from './folded-text.ts'
import { type InvertedLog, invertedLog } from './inverted-log.ts'
import { type LoggedDocuments, wideNumber } from './log-format.ts'
import type { NumberedWords } from './numbered-words.ts'
import { withRoom } from './varint.ts'

/** Longer words are cut, in documents and in queries alike. */
export const maxWordBytes = 255
/** Of one table; what is beyond is left out. */
export const maxWords = 1 << 19

/** So many words may crowd together before one more is left out: only words made for it do that. */
export const maxProbes = 512
/** Numbers of a slot: two that are the key of a word; where its bytes begin; its length and its id + 1. */
const SLOT_BITS = 2
const SLOT = 1 << SLOT_BITS
const LENGTH_SHIFT = 20
const NUMBER_MASK = (1 << LENGTH_SHIFT) - 1
const KEPT_SLOTS = SLOT << 17
const KEPT_BYTES = 1 << 20
const KEPT_PLACES = 1 << 18
/** Of words in a log that is as full as usual. */
const USUAL_PLACES = 1 << 20

/** The key of a word up to so long is the word itself. */
const SHORT = 8
/** By length of a word, that of all long ones being one more: which of the eight bytes from its first on belong to its key. */
const LOW_BYTES = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1, -1, -1, -1, -1, 0)
const HIGH_BYTES = Int32Array.of(0, 0, 0, 0, 0, 0xff, 0xffff, 0xffffff, -1, 0)

/** So many words are looked up at once. */
const AT_ONCE = 128
/** Their keys, where they are looked for first, their numbers. */
const lows = new Int32Array(AT_ONCE)
const highs = new Int32Array(AT_ONCE)
const homes = new Int32Array(AT_ONCE)
const found = new Int32Array(AT_ONCE)
/** Which of them are long, or unknown. */
const some = new Int32Array(AT_ONCE)

/**
 * Words in a hash table. Those up to eight bytes, most of any text, are compared without leaving their slot. Where a word
 * is looked for first are the upper bits of it times factors made by chance: by that no two words are likelier to crowd
 * together than any others, whoever has chosen them.
 */
export class WordTable implements NumberedWords {
  count = 0
  bytes = new Uint8Array(1 << 17)
  ends = new Uint32Array(1 << 13)
  #view = new DataView(this.bytes.buffer)
  #lowFactor = 1
  #highFactor = 1
  #slots = new Int32Array(SLOT << 14)
  #shift = shiftFor(this.#slots)
  #numbers = new Uint16Array(1 << 16)
  readonly #text = new FoldedText()
  /** Used again for every log that is turned over. */
  #places: Uint32Array | undefined

  constructor(seed: number) {
    this.clear(seed)
  }

  clear(seed: number): void {
    this.#lowFactor = factorOf(seed)
    this.#highFactor = factorOf(this.#lowFactor)
    this.count = 0
    this.#text.clear()
    if (this.#slots.length > KEPT_SLOTS) this.#takeSlots(new Int32Array(KEPT_SLOTS))
    else this.#slots.fill(0)
    if (this.bytes.length > KEPT_BYTES) this.#takeBytes(new Uint8Array(KEPT_BYTES))
    if (this.#numbers.length > KEPT_PLACES) this.#numbers = new Uint16Array(KEPT_PLACES)
  }

  startOf(id: number): number {
    return id === 0 ? 0 : this.ends[id - 1]!
  }

  numbersOf(text: Uint8Array, length: number): Uint16Array {
    this.#text.read(text, length)
    return this.#numbersOfText()
  }

  add(word: Uint8Array): void {
    this.#text.set(word)
    this.#numbersOfText()
  }

  inverted(log: LoggedDocuments): InvertedLog {
    this.#places ??= new Uint32Array(USUAL_PLACES)
    return invertedLog(this, log, this.#places)
  }

  #numbersOfText(): Uint16Array {
    const { words } = this.#text
    // A number takes two places at most.
    if (this.#numbers.length < 2 * words) this.#numbers = new Uint16Array(4 * words)
    const numbers = this.#numbers
    let next = 0
    for (let first = 0; first < words; first += AT_ONCE) {
      const count = Math.min(AT_ONCE, words - first)
      this.#find(2 * first, count)
      for (let i = 0; i < count; i++) {
        const number = found[i]!
        numbers[next] = wideNumber | (number >>> 16)
        next += (wideNumber - 1 - number) >>> 31
        numbers[next++] = number
      }
    }
    return numbers.subarray(0, next)
  }

  /** Finds the numbers of words, whose bounds begin there. Those that are new are added. */
  #find(firstBound: number, count: number): void {
    this.#findKnown(firstBound, count, this.#findKeys(firstBound, count))
    let unknown = 0
    for (let i = 0; i < count; i++) {
      some[unknown] = i
      unknown += (found[i]! - 1) >>> 31
    }
    const { bounds } = this.#text
    for (let i = 0; i < unknown; i++) {
      const word = some[i]!
      const start = bounds[firstBound + 2 * word]!
      const length = Math.min(bounds[firstBound + 2 * word + 1]! - start, maxWordBytes)
      found[word] = this.#numberOf(start, length, lows[word]!, highs[word]!)
    }
  }

  /**
   * Finds the numbers of words that stand where they are looked for first, as most do; 0 for others. All slots are looked at
   * before any is asked for what it holds, so that they come from memory together and not each after the other.
   */
  #findKnown(firstBound: number, count: number, longCount: number): void {
    const slots = this.#slots
    let used = 0
    for (let i = 0; i < count; i++) used |= slots[homes[i]!]!
    if (used === 0) {
      found.fill(0, 0, count)
      return
    }
    for (let i = 0; i < count; i++) {
      const home = homes[i]!
      const difference = (slots[home]! ^ lows[i]!) | (slots[home + 1]! ^ highs[i]!)
      found[i] = slots[home + 3]! & NUMBER_MASK & ~((difference | -difference) >> 31)
    }
    const { bounds } = this.#text
    for (let i = 0; i < longCount; i++) {
      const word = some[i]!
      const start = bounds[firstBound + 2 * word]!
      const length = Math.min(bounds[firstBound + 2 * word + 1]! - start, maxWordBytes)
      if (!this.#equals(homes[word]!, start, length)) found[word] = 0
    }
  }

  /** Finds the keys of words, and which of them are long. Answers how many are. */
  #findKeys(firstBound: number, count: number): number {
    const { view, bounds } = this.#text
    const lowFactor = this.#lowFactor
    const highFactor = this.#highFactor
    const shift = this.#shift
    let longCount = 0
    for (let i = 0, bound = firstBound; i < count; i++, bound += 2) {
      const start = bounds[bound]!
      const length = Math.min(bounds[bound + 1]! - start, SHORT + 1)
      const low = view.getInt32(start, true) & LOW_BYTES[length]!
      const high = view.getInt32(start + 4, true) & HIGH_BYTES[length]!
      lows[i] = low
      highs[i] = high
      homes[i] = ((Math.imul(low, lowFactor) + Math.imul(high, highFactor)) >>> shift) << SLOT_BITS
      some[longCount] = i
      longCount += (SHORT - length) >>> 31
    }
    for (let i = 0; i < longCount; i++) {
      const word = some[i]!
      const start = bounds[firstBound + 2 * word]!
      const length = Math.min(bounds[firstBound + 2 * word + 1]! - start, maxWordBytes)
      lows[word] = this.#hashOf(view, start, length)
      highs[word] = view.getInt32(start + length - 4, true)
      homes[word] = this.#homeOf(lows[word]!, highs[word]!)
    }
    return longCount
  }

  /** The number of a word of the text, which is added if it is new; 0: it is left out. */
  #numberOf(start: number, length: number, low: number, high: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = this.#homeOf(low, high)
    for (let probes = 0; probes < maxProbes; probes++) {
      if (slots[slot + 3] === 0) return this.#add(start, length, slot, low, high)
      const isAlike = slots[slot] === low && slots[slot + 1] === high
      if (isAlike && (length <= SHORT || this.#equals(slot, start, length))) return slots[slot + 3]! & NUMBER_MASK
      slot = (slot + SLOT) & mask
    }
    return 0
  }

  #homeOf(low: number, high: number): number {
    return ((Math.imul(low, this.#lowFactor) + Math.imul(high, this.#highFactor)) >>> this.#shift) << SLOT_BITS
  }

  /** Of a long word, all but the last four bytes. Its lowest byte is zero, which that of no short word is. */
  #hashOf(view: DataView, start: number, length: number): number {
    const factor = this.#lowFactor
    const last = start + length - 4
    let hash = length
    for (let at = start; at < last; at += 4) {
      hash = Math.imul(hash ^ view.getInt32(at, true), factor)
      hash ^= hash >>> 15
    }
    return hash & ~0xff
  }

  /** Whether this long word stands there. */
  #equals(slot: number, start: number, length: number): boolean {
    const slots = this.#slots
    if (slots[slot + 3]! >>> LENGTH_SHIFT !== length) return false
    const own = this.#view
    const { view } = this.#text
    const from = slots[slot + 2]!
    for (let at = 0; at < length - 4; at += 4)
      if (own.getInt32(from + at, true) !== view.getInt32(start + at, true)) return false
    return own.getInt32(from + length - 4, true) === view.getInt32(start + length - 4, true)
  }

  #add(start: number, length: number, slot: number, low: number, high: number): number {
    if (this.count >= maxWords) return 0
    const begin = this.startOf(this.count)
    if (begin + length > this.bytes.length) this.#takeBytes(withRoom(this.bytes, begin + length))
    const text = this.#text.bytes
    for (let i = 0; i < length; i++) this.bytes[begin + i] = text[start + i]!
    if (this.count >= this.ends.length) this.ends = doubled(this.ends)
    this.ends[this.count++] = begin + length
    const slots = this.#slots
    slots[slot] = low
    slots[slot + 1] = high
    slots[slot + 2] = begin
    slots[slot + 3] = this.count | (length << LENGTH_SHIFT)
    if (this.count * SLOT * 2 > slots.length) this.#spread()
    return this.count
  }

  #takeBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer)
  }

  #takeSlots(slots: Int32Array<ArrayBuffer>): void {
    this.#slots = slots
    this.#shift = shiftFor(slots)
  }

  /** Twice the slots. */
  #spread(): void {
    const old = this.#slots
    const slots = new Int32Array(old.length * 2)
    this.#takeSlots(slots)
    const mask = slots.length - 1
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + 3] === 0) continue
      let slot = this.#homeOf(old[from]!, old[from + 1]!)
      while (slots[slot + 3] !== 0) slot = (slot + SLOT) & mask
      for (let i = 0; i < SLOT; i++) slots[slot + i] = old[from + i]!
    }
  }
}

/** What leaves of 32 bits as many as there are of them in the number of a slot. */
const shiftFor = (slots: Int32Array) => Math.clz32(slots.length) + 1 + SLOT_BITS

/** Any odd number, by chance as the seed is. */
export const factorOf = (seed: number) => mix(seed + 0x9e3779b9) | 1

function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}
