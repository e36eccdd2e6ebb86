import { foldedForIndex, indexedUnit } from '../../words.ts'
import { withRoom } from './varint.ts'

/** By byte of ASCII: what it is in a word, 0 if it parts words. Beyond ASCII a byte is itself. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (byte >= 0x80 || /[a-z0-9]/.test(character)) return byte
  return /[A-Z]/.test(character) ? byte + 0x20 : 0
})

export const foldedByte = (byte: number) => FOLDED[byte]!

/** So many bytes can be read behind each word. */
const bytesBehind = 8
const HIGH_BITS = 0x80808080
const KEPT_BYTES = 1 << 18
const encoder = new TextEncoder()
// A mark of byte order parts words wherever it stands.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The words of a text, their letters folded, and where they stand. Found apart from looking them up, and without asking
 * at each letter whether it is the last: which processors cannot foretell, and then they wait. So they also fetch the slots
 * of many words from far memory at once.
 */
export class FoldedText {
  bytes = new Uint8Array(1 << 16)
  view = new DataView(this.bytes.buffer)
  /** Where a word begins, where it ends, where the next begins… */
  bounds = new Int32Array(1 << 16)
  /** The text that is read. */
  #source: DataView = this.view
  #used = 0
  #boundCount = 0
  /** 1 while the last letter may not be the last of its word. */
  #inWord = 0

  /** How many words there are. */
  get words(): number {
    return this.#boundCount >> 1
  }

  /** Memory is used again, but for what unusual texts made it take. */
  clear(): void {
    this.#used = this.#boundCount = 0
    if (this.bytes.length > KEPT_BYTES) this.#take(new Uint8Array(KEPT_BYTES))
  }

  /** Reads text in UTF-8, behind which a zero stands. */
  read(text: Uint8Array, length: number): void {
    this.#used = this.#boundCount = this.#inWord = 0
    this.#makeRoom(length)
    this.#source = new DataView(text.buffer, text.byteOffset, text.length)
    for (let at = 0; at < length; ) {
      at = this.#readAscii(text, at, length)
      if (at < length) at = this.#readRun(text, at, length)
    }
    this.#append(0)
  }

  /** One word, as it is. */
  set(word: Uint8Array): void {
    this.#used = 0
    this.#makeRoom(word.length)
    this.bytes.set(word)
    this.bounds[0] = 0
    this.bounds[1] = word.length
    this.#boundCount = 2
  }

  /** Answers where it ended: at a character beyond ASCII, or at the end. */
  #readAscii(text: Uint8Array, from: number, length: number): number {
    const at = this.#readFours(from, length)
    const { bytes, bounds } = this
    let used = this.#used
    let boundCount = this.#boundCount
    let inWord = this.#inWord
    let i = at
    for (; i < length && i < at + 4; i++) {
      const byte = FOLDED[text[i]!]!
      if (byte >= 0x80) break
      bytes[used] = byte
      bounds[boundCount] = used++
      const isLetter = -byte >>> 31
      boundCount += isLetter ^ inWord
      inWord = isLetter
    }
    this.#used = used
    this.#boundCount = boundCount
    this.#inWord = inWord
    return i
  }

  /** Four characters at once, as long as all of them are of ASCII. */
  #readFours(from: number, length: number): number {
    const { view, bounds } = this
    const source = this.#source
    let used = this.#used
    let boundCount = this.#boundCount
    let inWord = this.#inWord
    let at = from
    for (; at + 4 <= length; at += 4) {
      const four = source.getInt32(at, true)
      if ((four & HIGH_BITS) !== 0) break
      // In each byte the highest bit tells what it is: added to it is what makes the first of a range reach that bit.
      const lower = four | 0x20202020
      const letters = (lower + 0x1f1f1f1f) & ~(lower + 0x05050505) & HIGH_BITS
      const digits = (four + 0x50505050) & ~(four + 0x46464646) & HIGH_BITS
      const inWords = (letters | digits) >>> 7
      view.setInt32(used, (four | (letters >>> 2)) & Math.imul(inWords, 0xff), true)
      const changes = inWords ^ ((inWords << 8) | inWord)
      inWord = inWords >>> 24
      bounds[boundCount] = used
      boundCount += changes & 1
      bounds[boundCount] = used + 1
      boundCount += (changes >>> 8) & 1
      bounds[boundCount] = used + 2
      boundCount += (changes >>> 16) & 1
      bounds[boundCount] = used + 3
      boundCount += changes >>> 24
      used += 4
    }
    this.#used = used
    this.#boundCount = boundCount
    this.#inWord = inWord
    return at
  }

  /** Characters beyond ASCII: the twin of `indexedRun`. Answers where they end. */
  #readRun(text: Uint8Array, from: number, length: number): number {
    const { used, boundCount, inWord } = { used: this.#used, boundCount: this.#boundCount, inWord: this.#inWord }
    /** The character before this one, if it is of a script without spaces: both are a word. */
    let before: FoldedUnit | undefined
    let at = from
    for (; text[at]! >= 0x80; at += text[at]! < 0xe0 ? 2 : 3) {
      const unit = unitAt(text, at)
      if (unit === null) {
        this.#used = used
        this.#boundCount = boundCount
        this.#inWord = inWord
        return this.#readWholeRun(text, from, length)
      }
      if (unit.bytes.length === 0) continue
      this.#makeRoom(length - at + 4 * MAX_UNIT_BYTES)
      if (unit.isSpaceless) {
        if (before) this.#appendAll(before.bytes)
        if (before) this.#appendAll(unit.bytes)
        this.#append(0)
      } else {
        if (before) this.#appendAll(before.bytes)
        if (before) this.#append(0)
        this.#appendAll(unit.bytes)
      }
      before = unit.isSpaceless ? unit : undefined
    }
    if (before) this.#appendAll(before.bytes)
    if (before) this.#append(0)
    return Math.min(at, length)
  }

  /** Characters that only all of them together explain. */
  #readWholeRun(text: Uint8Array, from: number, length: number): number {
    let end = from
    while (end < length && text[end]! >= 0x80) end++
    const folded = encoder.encode(foldedForIndex(decoder.decode(text.subarray(from, end)))).map(foldedByte)
    this.#makeRoom(length - end + folded.length)
    this.#appendAll(folded)
    return end
  }

  #appendAll(folded: Uint8Array): void {
    for (let i = 0; i < folded.length; i++) this.#append(folded[i]!)
  }

  #append(byte: number): void {
    this.bytes[this.#used] = byte
    this.bounds[this.#boundCount] = this.#used++
    const isLetter = byte === 0 ? 0 : 1
    this.#boundCount += isLetter ^ this.#inWord
    this.#inWord = isLetter
  }

  /** For so many bytes more, and what is read behind a word. */
  #makeRoom(bytes: number): void {
    const needed = this.#used + bytes + bytesBehind
    if (needed > this.bytes.length) this.#take(withRoom(this.bytes, needed))
  }

  #take(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer)
    const bounds = new Int32Array(bytes.length)
    bounds.set(this.bounds.subarray(0, this.#boundCount))
    this.bounds = bounds
  }
}

/** What a character beyond ASCII gives. */
interface FoldedUnit {
  readonly bytes: Uint8Array
  readonly isSpaceless: boolean
}

const MAX_UNIT_BYTES = 64
const units = new Array<FoldedUnit | null | undefined>(0x10000)

/** `null` where its neighbours decide too. */
function unitAt(text: Uint8Array, at: number): FoldedUnit | null {
  const lead = text[at]!
  if (lead >= 0xf0) return null
  const second = text[at + 1]! & 0x3f
  const code =
    lead < 0xe0 ? ((lead & 0x1f) << 6) | second : ((lead & 0x0f) << 12) | (second << 6) | (text[at + 2]! & 0x3f)
  const known = units[code]
  if (known !== undefined) return known
  const unit = indexedUnit(code)
  const bytes = unit && encoder.encode(unit.text).map(foldedByte)
  return (units[code] = bytes && bytes.length <= MAX_UNIT_BYTES ? { bytes, isSpaceless: unit.spaceless } : null)
}
