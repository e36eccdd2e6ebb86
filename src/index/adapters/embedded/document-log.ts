import type { PageText } from '../../../parse/page-text.ts'
import { type LogPart, logBlob } from './log-blob.ts'
import { headerPlaces } from './log-format.ts'
import { type NumberedWords, newWords } from './numbered-words.ts'
import { withRoom } from './varint.ts'

/** Of title, description and text each: what is beyond is not searchable. */
const MAX_COLUMN_BYTES = 8 * 1024 * 1024
/**
 * Documents wait to be read together: after all that is done for a page, the tables of words are far from the processor.
 * They wait as bytes, since strings that live on would be copied by the collector.
 */
const WAITING_BYTES = 1 << 20
const KEPT_PLACES = 1 << 21
const encoder = new TextEncoder()

/** Title, description and text of a document. */
export type Columns = readonly [string, string, PageText]

/** Documents as they came, word after word, each word by its number. */
export class DocumentLog {
  readonly words: NumberedWords
  numbers = new Uint16Array(1 << 18)
  used = 0
  #read = 0
  #saved = { words: 0, used: 0, documents: 0 }
  /** Columns of documents that are not yet read, a zero behind each, and where each ends. */
  #waiting = new Uint8Array(WAITING_BYTES)
  #waitingEnds: number[] = []

  constructor(seed: number) {
    this.words = newWords(seed)
  }

  /** Memory is used again, but for what unusual pages made it take. */
  clear(seed: number): void {
    this.words.clear(seed)
    if (this.numbers.length > KEPT_PLACES) this.numbers = new Uint16Array(KEPT_PLACES)
    this.used = 0
    this.#read = 0
    this.#waitingEnds = []
    this.#allSaved()
  }

  /** With those that wait. */
  get documents(): number {
    return this.#read + this.#waitingEnds.length / 3
  }

  add(columns: Columns): void {
    for (const column of columns) this.#keep(column)
  }

  #keep(column: PageText): void {
    const start = (this.#waitingEnds.at(-1) ?? -1) + 1
    const end = start + (typeof column === 'string' ? this.#encode(column, start) : this.#copy(column.bytes, start))
    this.#waiting[end] = 0
    this.#waitingEnds.push(end)
  }

  #encode(text: string, start: number): number {
    const most = Math.min(text.length * 3, MAX_COLUMN_BYTES)
    this.#waiting = withRoom(this.#waiting, start + most + 1)
    return encoder.encodeInto(text, this.#waiting.subarray(start, start + most)).written
  }

  #copy(utf8: Uint8Array, start: number): number {
    let bytes = Math.min(utf8.length, MAX_COLUMN_BYTES)
    while (bytes < utf8.length && (utf8[bytes]! & 0xc0) === 0x80) bytes--
    this.#waiting = withRoom(this.#waiting, start + bytes + 1)
    this.#waiting.set(utf8.subarray(0, bytes), start)
    return bytes
  }

  /** Whether those that wait should be read now. */
  get isCrowded(): boolean {
    return (this.#waitingEnds.at(-1) ?? 0) >= WAITING_BYTES / 2
  }

  /** Reads those that wait. */
  read(): void {
    let start = 0
    for (let i = 0; i < this.#waitingEnds.length; i += 3) {
      const header = this.used
      this.#makeRoom(headerPlaces)
      this.used += headerPlaces
      for (let column = 0; column < 3; column++) {
        const end = this.#waitingEnds[i + column]!
        this.#readColumn(this.#waiting.subarray(start, end + 1), header + 2 * column)
        start = end + 1
      }
      this.#read++
    }
    this.#waitingEnds = []
    // Room that a hostile page made it take is given back.
    if (this.#waiting.length > WAITING_BYTES) this.#waiting = new Uint8Array(WAITING_BYTES)
  }

  #readColumn(text: Uint8Array, header: number): void {
    const numbers = this.words.numbersOf(text, text.length - 1)
    this.#makeRoom(numbers.length)
    this.numbers.set(numbers, this.used)
    this.numbers[header] = numbers.length
    this.numbers[header + 1] = numbers.length >>> 16
    this.used += numbers.length
  }

  #makeRoom(places: number): void {
    if (this.used + places <= this.numbers.length) return
    const larger = new Uint16Array(Math.max(this.used + places, 2 * this.numbers.length))
    larger.set(this.numbers)
    this.numbers = larger
  }

  /** What came since it was last asked, to be kept; `undefined`: nothing. */
  takeUnsaved(): { readonly first: number; readonly documents: number; readonly data: Uint8Array } | undefined {
    this.read()
    const { words, used, documents: first } = this.#saved
    const documents = this.documents - first
    if (documents === 0) return undefined
    const data = logBlob(this.words, words, this.numbers.subarray(used, this.used))
    this.#allSaved()
    return { first, documents, data }
  }

  /** What was kept by an earlier run; only before anything else was added. Answers whether it fits what is here. */
  load({ words, numbers }: LogPart, documents: number): boolean {
    const count = this.words.count + words.length
    for (const word of words) this.words.add(word)
    this.#makeRoom(numbers.length)
    this.numbers.set(numbers, this.used)
    this.used += numbers.length
    this.#read += documents
    this.#allSaved()
    return this.words.count === count
  }

  #allSaved(): void {
    this.#saved = { words: this.words.count, used: this.used, documents: this.documents }
  }
}
