import { indexedText } from '../../words.ts'
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
/** Numbers of a slot: the word's last eight bytes, its length, its id + 1. */
const SLOT = 4
const FACTOR = 0x9e3779b1
const KEPT_SLOTS = SLOT << 17
const KEPT_BYTES = 1 << 20
const KEPT_PLACES = 1 << 18
/** Of words in a log that is as full as usual. */
const USUAL_PLACES = 1 << 20

/** By byte: what it is in a word, 0 if it parts words. ASCII is folded here; beyond it `indexedText` has left only words. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (byte >= 0x80 || /[a-z0-9]/.test(character)) return byte
  return /[A-Z]/.test(character) ? byte + 0x20 : 0
})

export const foldedByte = (byte: number) => FOLDED[byte]!

/**
 * Words in a hash table. Those up to eight bytes, most of any text, are compared without leaving
 * their slot. The seed keeps pages from knowing which words would crowd together.
 */
export class WordTable implements NumberedWords {
  count = 0
  bytes = new Uint8Array(1 << 17)
  ends = new Uint32Array(1 << 13)
  #seed = 0
  #slots = new Int32Array(SLOT << 14)
  #numbers = new Uint16Array(1 << 16)
  /** Used again for every log that is turned over. */
  #places: Uint32Array | undefined

  constructor(seed: number) {
    this.clear(seed)
  }

  clear(seed: number): void {
    this.#seed = seed | 0
    this.count = 0
    if (this.#slots.length > KEPT_SLOTS) this.#slots = new Int32Array(KEPT_SLOTS)
    else this.#slots.fill(0)
    if (this.bytes.length > KEPT_BYTES) this.bytes = new Uint8Array(KEPT_BYTES)
    if (this.#numbers.length > KEPT_PLACES) this.#numbers = new Uint16Array(KEPT_PLACES)
  }

  startOf(id: number): number {
    return id === 0 ? 0 : this.ends[id - 1]!
  }

  prepared(text: string): string {
    return indexedText(text)
  }

  numbersOf(text: Uint8Array, length: number): Uint16Array {
    // A word and what parts it from the next one have two bytes at least, and a number takes two places at most.
    if (this.#numbers.length < length + 2) this.#numbers = new Uint16Array(2 * length + 2)
    return this.#numbers.subarray(0, this.#number(text, length, this.#numbers, 0))
  }

  add(word: Uint8Array): void {
    const text = new Uint8Array(word.length + 1)
    text.set(word)
    this.numbersOf(text, word.length)
  }

  inverted(log: LoggedDocuments): InvertedLog {
    this.#places ??= new Uint32Array(USUAL_PLACES)
    return invertedLog(this, log, this.#places)
  }

  /** Writes numbers from `at` on, and answers where it ended. One long function: it is where an index spends its time. */
  #number(text: Uint8Array, length: number, numbers: Uint16Array, at: number): number {
    let slots = this.#slots
    let end = at
    let next = 0
    while (true) {
      let byte = 0
      while (next < length && (byte = FOLDED[text[next]!]!) === 0) next++
      if (next >= length) return end
      const start = next
      let low = 0
      let high = 0
      let hash = this.#seed
      do {
        high = (high << 8) | (low >>> 24)
        low = (low << 8) | byte
        hash = Math.imul(hash ^ byte, FACTOR)
        byte = FOLDED[text[++next]!]!
      } while (byte !== 0)
      const wordBytes = next - start
      if (wordBytes > maxWordBytes) {
        const cut = new Uint8Array(maxWordBytes + 1)
        cut.set(text.subarray(start, start + maxWordBytes))
        end = this.#number(cut, maxWordBytes, numbers, end)
        slots = this.#slots
        continue
      }
      const mask = slots.length - 1
      let slot = slotOf(hash) & mask
      let number = 0
      for (let probes = 0; probes < maxProbes; probes++) {
        number = slots[slot + 3]!
        if (number === 0) {
          number = this.#add(text, start, wordBytes, slot, low, high)
          slots = this.#slots
          break
        }
        const isEqual = slots[slot] === low && slots[slot + 1] === high && slots[slot + 2] === wordBytes
        if (isEqual && (wordBytes <= 8 || this.#equals(number - 1, text, start))) break
        slot = (slot + SLOT) & mask
        number = 0
      }
      if (number >= wideNumber) {
        numbers[end++] = wideNumber | (number >>> 16)
        number &= 0xffff
      }
      numbers[end++] = number
    }
  }

  #equals(id: number, text: Uint8Array, start: number): boolean {
    const { bytes } = this
    const end = this.ends[id]!
    let at = start
    for (let own = this.startOf(id); own < end; own++) if (bytes[own] !== FOLDED[text[at++]!]) return false
    return true
  }

  #add(text: Uint8Array, start: number, wordBytes: number, slot: number, low: number, high: number): number {
    if (this.count >= maxWords) return 0
    const begin = this.startOf(this.count)
    this.bytes = withRoom(this.bytes, begin + wordBytes)
    for (let i = 0; i < wordBytes; i++) this.bytes[begin + i] = FOLDED[text[start + i]!]!
    if (this.count >= this.ends.length) this.ends = doubled(this.ends)
    this.ends[this.count++] = begin + wordBytes
    const slots = this.#slots
    slots[slot] = low
    slots[slot + 1] = high
    slots[slot + 2] = wordBytes
    slots[slot + 3] = this.count
    if (this.count * SLOT * 2 > slots.length) this.#spread()
    return this.count
  }

  /** Twice the slots. */
  #spread(): void {
    const old = this.#slots
    const slots = new Int32Array(old.length * 2)
    const mask = slots.length - 1
    for (let from = 0; from < old.length; from += SLOT) {
      const number = old[from + 3]!
      if (number === 0) continue
      let slot = slotOf(this.#hashOf(number - 1)) & mask
      while (slots[slot + 3] !== 0) slot = (slot + SLOT) & mask
      for (let i = 0; i < SLOT; i++) slots[slot + i] = old[from + i]!
    }
    this.#slots = slots
  }

  #hashOf(id: number): number {
    let hash = this.#seed
    for (let at = this.startOf(id); at < this.ends[id]!; at++) hash = Math.imul(hash ^ this.bytes[at]!, FACTOR)
    return hash
  }
}

/** Before it is cut to the size of the table. */
const slotOf = (hash: number) => (hash ^ (hash >>> 15)) * SLOT

function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}
