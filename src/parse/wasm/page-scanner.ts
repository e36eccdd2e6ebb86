import { isUtf8 } from 'node:buffer'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { loadWasm, type Memory } from '../../web-assembly.ts'
import { attributeTable } from '../attributes.ts'
import { byteClasses } from '../byte-classes.ts'
import { languagesIn, languageTables } from '../language-model.ts'
import { metaTable } from '../meta-names.ts'
import type { NameTable } from '../names.ts'
import { type PageText, textOf } from '../page-text.ts'
import { attributesWanted } from '../scan-html.ts'
import { tagFlags, tagTable } from '../tags.ts'
import { lowerCaseLetters } from '../words.ts'
import * as layout from './layout.ts'

/** What the scanner asks of the outside while it reads. Places are in the document. */
export interface Host {
  /** A start tag; see `page.as` for the answer. */
  element(tag: number, present: number, takesLinks: number): number
  rawText(tag: number, start: number, end: number): void
  /** A value of `rel` → its number times 2, plus 1 if it asks not to follow the link. */
  rel(start: number, end: number): number
  /** A character reference by name → the place behind it, or -1. */
  named(at: number, end: number, inAttribute: number): number
}

export interface ReadLimits {
  /** `WITH_TEXT`, `ALL_LINKS`, `WITH_LABELS`, `WITH_DATA`. */
  readonly options: number
  readonly maxTextBytes: number
  readonly maxLabelBytes: number
}

interface ScannerExports {
  readonly memory: Memory
  indexNames(tags: number, attributes: number): void
  indexMetaNames(count: number): void
  prepare(documentBytes: number, maxRecords: number): number
  readPage(documentBytes: number, options: number, maxTextBytes: number, maxLabelBytes: number): void
  prepareText(at: number, bytes: number): number
  simhash(at: number, bytes: number): number
  language(at: number, bytes: number): number
}

/** An instance of the compiled scanner with its memory, which it uses again for every document and text. */
export class PageScanner {
  readonly #exports: ScannerExports
  #bytes: Buffer
  #numbers: Int32Array
  #host: Host | undefined
  /** The text that lies in memory, as the last document had it. */
  #text: PageText | undefined
  /** By their numbers; the tables are loaded when the first text comes. */
  #languages: readonly string[] | undefined

  constructor(instantiate: (host: Host) => ScannerExports) {
    this.#exports = instantiate({
      element: (tag, present, takesLinks) => this.#host!.element(tag, present, takesLinks),
      rawText: (tag, start, end) => this.#host!.rawText(tag, start, end),
      rel: (start, end) => this.#host!.rel(start, end),
      named: (at, end, inAttribute) => this.#host!.named(at, end, inAttribute),
    })
    this.#bytes = Buffer.from(this.#exports.memory.buffer)
    this.#numbers = new Int32Array(this.#exports.memory.buffer)
    this.#fillTables()
  }

  /** The whole memory. Neither this nor `numbers` outlives the next call that makes room. */
  get bytes(): Buffer {
    return this.#bytes
  }

  get numbers(): Int32Array {
    return this.#numbers
  }

  cell(number: number): number {
    return this.#numbers[layout.CELLS / 4 + number]!
  }

  setCell(number: number, value: number): void {
    this.#numbers[layout.CELLS / 4 + number] = value
  }

  /** Makes room for a document; false: there is none. */
  makeRoom(documentBytes: number, maxRecords: number): boolean {
    this.#text = undefined
    return this.#made(this.#exports.prepare(documentBytes, maxRecords))
  }

  /** Reads the document that room was made for. What was found lies in memory. */
  read(document: Buffer, host: Host, { options, maxTextBytes, maxLabelBytes }: ReadLimits): void {
    this.#host = host
    this.#bytes.set(document, layout.INPUT)
    this.#exports.readPage(document.length, options, maxTextBytes, maxLabelBytes)
    this.#host = undefined
  }

  /** The text of the document that was read. That of a well-formed one is so as well. */
  text(isWellFormed: boolean): PageText {
    const start = this.cell(layout.TEXT_AT)
    const end = start + this.cell(layout.TEXT_BYTES)
    if (!isWellFormed && !isUtf8(this.#bytes.subarray(start, end))) return this.#bytes.toString('utf8', start, end)
    this.#text = textOf(this.#bytes, start, end)
    return this.#text
  }

  /** Makes room for a text; false: there is none, or it has half a character. */
  makeRoomForText(text: PageText): boolean {
    if (text === this.#text)
      return this.#made(this.#exports.prepareText(this.cell(layout.TEXT_AT), this.cell(layout.TEXT_BYTES)))
    this.#text = undefined
    const plain = text.toString()
    if (!plain.isWellFormed()) return false
    if (!this.#made(this.#exports.prepareText(layout.INPUT, Buffer.byteLength(plain)))) return false
    this.setCell(layout.TEXT_AT, layout.INPUT)
    this.setCell(layout.TEXT_BYTES, this.#bytes.write(plain, layout.INPUT))
    return true
  }

  /** The SimHash of the text that room was made for, in its cells; false: the text is too short. */
  simhash(): boolean {
    return this.#exports.simhash(this.cell(layout.TEXT_AT), this.cell(layout.TEXT_BYTES)) !== 0
  }

  /** Whether this text, as the last document had it, lies in memory. */
  hasText(text: PageText): boolean {
    return text === this.#text
  }

  /** The language of the text that lies in memory, or `''`; `undefined`: it is not in Latin letters. */
  language(): string | undefined {
    this.#languages ??= this.#loadLanguages()
    const number = this.#exports.language(this.cell(layout.TEXT_AT), this.cell(layout.TEXT_BYTES))
    if (number === layout.NOT_LATIN) return undefined
    return number === layout.NO_LANGUAGE ? '' : this.#languages[number]
  }

  #loadLanguages(): readonly string[] {
    const file = readFileSync(languageTables)
    this.#bytes.set(file, layout.LANGUAGE_TABLES)
    new Uint16Array(this.#exports.memory.buffer, layout.LATIN_LETTERS).set(lowerCaseLetters())
    return languagesIn(file)
  }

  #made(answer: number): boolean {
    const { buffer } = this.#exports.memory
    if (buffer !== this.#bytes.buffer) {
      this.#bytes = Buffer.from(buffer)
      this.#numbers = new Int32Array(buffer)
    }
    return answer !== 0
  }

  #fillTables(): void {
    const { buffer } = this.#exports.memory
    new Uint16Array(buffer, layout.TAG_FLAGS, 256).set(tagFlags)
    new Uint16Array(buffer, layout.FOLDED, FOLDED_CODES).set(foldedCodes())
    this.#bytes.set(byteClasses, layout.BYTE_CLASSES)
    this.#bytes.set(attributesWanted, layout.ATTRIBUTES_WANTED)
    this.#fillNames(tagTable, layout.TAG_NAMES)
    this.#fillNames(attributeTable, layout.ATTRIBUTE_NAMES)
    this.setCell(layout.SEED_LOW, randomInt(2 ** 32))
    this.setCell(layout.SEED_HIGH, randomInt(2 ** 32))
    this.#exports.indexNames(tagTable.names.length, attributeTable.names.length)
    this.#fillNames(metaTable, layout.INPUT, 32)
    this.#exports.indexMetaNames(metaTable.names.length)
  }

  #fillNames({ names }: NameTable, namesAt: number, bytes = 16): void {
    for (const [id, name] of names.entries()) this.#bytes.write(name, namesAt + id * bytes, 'latin1')
  }
}

const FOLDED_CODES = 0x250

/** As `dedup/tokens.ts` has it. */
function foldedCodes(): Uint16Array {
  return Uint16Array.from({ length: FOLDED_CODES }, (_, code) => {
    const character = String.fromCharCode(code)
    if (/[0-9]/.test(character)) return 0x30
    return /\p{L}/u.test(character) ? character.toLowerCase().charCodeAt(0) : 0
  })
}

/** A way to make scanners; `undefined` where there is no WebAssembly. */
export function loadScanner(): (() => PageScanner) | undefined {
  const instantiate = loadWasm<ScannerExports>(new URL('./page-scanner.wasm', import.meta.url))
  return instantiate && (() => new PageScanner((host) => instantiate({ host })))
}
