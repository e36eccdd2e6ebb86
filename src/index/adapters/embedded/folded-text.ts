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
    let end = from
    while (end < length && text[end]! >= 0x80) end++
    // A character of three bytes becomes seven at most: a word with the one before it.
    this.#makeRoom(length - end + 3 * (end - from))
    if (!this.#readUnits(text, from, end)) this.#readWholeRun(text, from, end, length)
    return end
  }

  /** Characters one by one; answers whether that is possible. */
  #readUnits(text: Uint8Array, from: number, end: number): boolean {
    const { view, bounds } = this
    let used = this.#used
    let boundCount = this.#boundCount
    let inWord = this.#inWord
    /** The character before this one, if it is of a script without spaces: both are a word. */
    let before = 0
    for (let at = from; at < end; at += text[at]! < 0xe0 ? 2 : 3) {
      const unit = unitAt(text, at)
      if (unit === BY_RUN) return false
      const isSpaceless = (unit & SPACELESS) !== 0
      const size = sizeOf(unit)
      if (size === 0) continue
      if (before !== 0) {
        bounds[boundCount++] = used
        view.setInt32(used, before, true)
        used += sizeOf(before)
        view.setInt32(used, unit, true)
        if (isSpaceless) used += size
        bounds[boundCount++] = used
        view.setInt8(used++, 0)
      }
      if (before === 0 || !isSpaceless) {
        view.setInt32(used, isSpaceless ? 0 : unit, true)
        bounds[boundCount] = used
        const isLetter = isSpaceless || (unit & 0xff) === 0 ? 0 : 1
        boundCount += isLetter ^ inWord
        inWord = isLetter
        used += isSpaceless ? 1 : size
      }
      before = isSpaceless ? unit : 0
    }
    if (before !== 0) {
      bounds[boundCount++] = used
      view.setInt32(used, before, true)
      used += sizeOf(before)
      bounds[boundCount++] = used
      view.setInt8(used++, 0)
    }
    this.#used = used
    this.#boundCount = boundCount
    this.#inWord = inWord
    return true
  }

  /** Characters that only all of them together explain. */
  #readWholeRun(text: Uint8Array, from: number, end: number, length: number): void {
    const folded = encoder.encode(foldedForIndex(decoder.decode(text.subarray(from, end)))).map(foldedByte)
    this.#makeRoom(length - end + folded.length)
    this.#appendAll(folded)
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

/** By UTF-16 unit: up to three bytes that it becomes, how many they are, of which kind it is; 0: not looked up yet. */
const units = new Int32Array(0x10000)
const SIZE_SHIFT = 24
const PLAIN = 1 << 26
/** Of a script without spaces. */
const SPACELESS = 1 << 27
/** Its neighbours decide too, or it becomes more. */
const BY_RUN = 1 << 28

const sizeOf = (unit: number) => (unit >>> SIZE_SHIFT) & 3

function unitAt(text: Uint8Array, at: number): number {
  const lead = text[at]!
  if (lead >= 0xf0) return BY_RUN
  const second = text[at + 1]! & 0x3f
  const code =
    lead < 0xe0 ? ((lead & 0x1f) << 6) | second : ((lead & 0x0f) << 12) | (second << 6) | (text[at + 2]! & 0x3f)
  return units[code] || (units[code] = unitOf(code))
}

/** All its bytes are of a word, or it has one that parts words; and no more than the character had. */
function unitOf(code: number): number {
  const unit = indexedUnit(code)
  const folded = encoder.encode(unit?.text).map(foldedByte)
  // Many that part words do no more than one.
  const bytes = folded.every((byte) => byte === 0) ? folded.subarray(0, 1) : folded
  if (unit === null || bytes.length > (code < 0x800 ? 2 : 3) || (bytes.length > 1 && bytes.includes(0))) return BY_RUN
  const packed = bytes.reduceRight((packed, byte) => (packed << 8) | byte, 0)
  return packed | (bytes.length << SIZE_SHIFT) | (unit.spaceless ? SPACELESS : PLAIN)
}
