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
/** Numbers of a slot: the word if it has up to eight bytes, else a hash of it; its length; its id + 1. */
const SLOT_BITS = 2
const SLOT = 1 << SLOT_BITS
const KEPT_SLOTS = SLOT << 17
const KEPT_BYTES = 1 << 20
const KEPT_PLACES = 1 << 18
/** Of words in a log that is as full as usual. */
const USUAL_PLACES = 1 << 20

/** By length of a word: which of the eight bytes from its first on belong to it. */
const LOW_BYTES = Int32Array.from({ length: 9 }, (_, length) => (length >= 4 ? -1 : (1 << (8 * length)) - 1))
const HIGH_BYTES = Int32Array.from({ length: 9 }, (_, length) => LOW_BYTES[Math.max(0, length - 4)]!)

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
    const { view, bounds, words } = this.#text
    // A number takes two places at most.
    if (this.#numbers.length < 2 * words) this.#numbers = new Uint16Array(4 * words)
    const numbers = this.#numbers
    const lowFactor = this.#lowFactor
    const highFactor = this.#highFactor
    let slots = this.#slots
    let shift = this.#shift
    let next = 0
    for (let i = 0; i < 2 * words; i += 2) {
      const start = bounds[i]!
      const length = bounds[i + 1]! - start
      let number = 0
      if (length <= 8) {
        const low = view.getInt32(start, true) & LOW_BYTES[length]!
        const high = view.getInt32(start + 4, true) & HIGH_BYTES[length]!
        const slot = ((Math.imul(low, lowFactor) + Math.imul(high, highFactor)) >>> shift) << SLOT_BITS
        // The usual case, without a call.
        if (slots[slot] === low && slots[slot + 1] === high && slots[slot + 2] === length) number = slots[slot + 3]!
        else number = this.#find(start, length, low, high)
      } else number = this.#longWord(view, start, length)
      slots = this.#slots
      shift = this.#shift
      if (number >= wideNumber) {
        numbers[next++] = wideNumber | (number >>> 16)
        number &= 0xffff
      }
      numbers[next++] = number
    }
    return numbers.subarray(0, next)
  }

  #longWord(view: DataView, start: number, wholeLength: number): number {
    const length = Math.min(wholeLength, maxWordBytes)
    return this.#find(start, length, this.#hashOf(view, start, length), view.getInt32(start + length - 4, true))
  }

  /** The number of a word of the text, which is added if it is new; 0: it is left out. */
  #find(start: number, length: number, low: number, high: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = this.#slotOf(low, high)
    for (let probes = 0; probes < maxProbes; probes++) {
      const number = slots[slot + 3]!
      if (number === 0) return this.#add(start, length, slot, low, high)
      const isAlike = slots[slot] === low && slots[slot + 1] === high && slots[slot + 2] === length
      if (isAlike && (length <= 8 || this.#equals(number - 1, start))) return number
      slot = (slot + SLOT) & mask
    }
    return 0
  }

  #slotOf(low: number, high: number): number {
    return ((Math.imul(low, this.#lowFactor) + Math.imul(high, this.#highFactor)) >>> this.#shift) << SLOT_BITS
  }

  /** Of more than eight bytes, all but the last four. */
  #hashOf(view: DataView, start: number, length: number): number {
    const last = start + length - 4
    let hash = length
    for (let at = start; at < last; at += 4) {
      hash = Math.imul(hash ^ view.getInt32(at, true), this.#lowFactor)
      hash ^= hash >>> 15
    }
    return hash
  }

  /** Whose last four bytes are known to be equal. */
  #equals(id: number, start: number): boolean {
    const own = this.#view
    const { view } = this.#text
    const last = this.ends[id]! - 4
    for (let at = this.startOf(id), other = start; at < last; at += 4, other += 4)
      if (own.getInt32(at, true) !== view.getInt32(other, true)) return false
    return true
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
    slots[slot + 2] = length
    slots[slot + 3] = this.count
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
      let slot = this.#slotOf(old[from]!, old[from + 1]!)
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
