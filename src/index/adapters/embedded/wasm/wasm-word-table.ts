import { loadWasm, type Memory } from '../../../../web-assembly.ts'
import { foldedForIndex, type IndexedUnit, indexedUnit } from '../../../words.ts'
import { foldedByte } from '../folded-text.ts'
import type { InvertedLog } from '../inverted-log.ts'
import type { LoggedDocuments } from '../log-format.ts'
import type { NumberedWords } from '../numbered-words.ts'

import * as layout from './layout.ts'

interface TableExports {
  readonly memory: Memory
  clear(seed: number): void
  begin(textBytes: number): number
  read(from: number, end: number): number
  readFolded(from: number, end: number): void
  finish(): number
  beginLog(places: number, documents: number): number
  invertLog(numbers: number, places: number, documents: number): number
  nextPart(): number
}

/** Memory beyond this is let go, since it never shrinks. */
const MAX_KEPT_BYTES = 24 * 2 ** 20

/** `WordTable`, in WebAssembly: text is folded as it is read. */
export class WasmWordTable implements NumberedWords {
  readonly #instantiate: () => TableExports
  #exports: TableExports
  #memory = Buffer.alloc(0)
  #cells = new Uint32Array(0)
  #bytes = new Uint8Array(0)
  #ends = new Uint32Array(0)

  constructor(seed: number, instantiate: () => TableExports) {
    this.#instantiate = instantiate
    this.#exports = instantiate()
    this.clear(seed)
  }

  get count(): number {
    return this.#cells[layout.COUNT]!
  }

  get bytes(): Uint8Array {
    return this.#bytes
  }

  get ends(): Uint32Array {
    return this.#ends
  }

  startOf(id: number): number {
    return id === 0 ? 0 : this.#ends[id - 1]!
  }

  clear(seed: number): void {
    if (this.#memory.length > MAX_KEPT_BYTES) this.#exports = this.#instantiate()
    this.#exports.clear(seed)
    this.#look()
  }

  numbersOf(text: Uint8Array, length: number): Uint16Array {
    const start = this.#begin(text, length)
    const end = start + length
    for (let at = start; (at = this.#exports.read(at, end)) < end; ) at = this.#readRun(at, end)
    return this.#finish()
  }

  add(word: Uint8Array): void {
    const start = this.#begin(word, word.length)
    this.#exports.readFolded(start, start + word.length)
    this.#finish()
  }

  inverted({ numbers, documents, live }: LoggedDocuments): InvertedLog {
    const start = this.#exports.beginLog(numbers.length, documents)
    this.#look()
    const liveAt = start + numbers.byteLength
    this.#memory.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), start)
    if (live) this.#memory.set(live, liveAt)
    else this.#memory.fill(1, liveAt, liveAt + documents)
    const count = this.#exports.invertLog(start, numbers.length, documents)
    this.#look()
    const lengths = new Uint32Array(this.#memory.buffer, this.#cells[layout.LENGTHS_AT]!, count)
    return { lengths: lengths.slice(), parts: this.#parts() }
  }

  *#parts(): Generator<Uint8Array> {
    for (let bytes = 0; (bytes = this.#exports.nextPart()) > 0; ) {
      const start = this.#cells[layout.PART_AT]!
      yield this.#memory.subarray(start, start + bytes)
    }
  }

  #begin(text: Uint8Array, length: number): number {
    const start = this.#exports.begin(length)
    this.#look()
    this.#memory.set(text.length === length ? text : text.subarray(0, length), start)
    return start
  }

  #finish(): Uint16Array {
    const places = this.#exports.finish()
    this.#look()
    return new Uint16Array(this.#memory.buffer, this.#cells[layout.NUMBERS_AT]!, places)
  }

  /** A run of which not every character is known: they become known, or it is read here. Answers where to go on. */
  #readRun(from: number, textEnd: number): number {
    this.#look()
    let end = from
    while (end < textEnd && this.#memory[end]! >= 0x80) end++
    const run = this.#memory.toString('utf8', from, end)
    if (this.#learn(run)) return from
    const folded = Buffer.from(foldedForIndex(run))
    for (let at = 0; at < folded.length; at += layout.RUN_BYTES) {
      const bytes = folded.copy(this.#memory, layout.RUN, at, at + layout.RUN_BYTES)
      this.#exports.readFolded(layout.RUN, layout.RUN + bytes)
      this.#look()
    }
    return end
  }

  /** Answers whether something was not known before, and each character alone decides what becomes of it. */
  #learn(run: string): boolean {
    let learned = false
    let isAlone = true
    for (let i = 0; i < run.length; i++) {
      const at = layout.UNITS + run.charCodeAt(i) * layout.UNIT_BYTES
      if (this.#memory[at] === layout.UNKNOWN) {
        this.#memory.set(packed(indexedUnit(run.charCodeAt(i))), at)
        learned = true
      }
      if (this.#memory[at] === layout.BY_RUN) isAlone = false
    }
    return learned && isAlone
  }

  /** Memory may have grown, and things may have moved in it. */
  #look(): void {
    const { buffer } = this.#exports.memory
    if (buffer !== this.#memory.buffer) {
      this.#memory = Buffer.from(buffer)
      this.#cells = new Uint32Array(buffer, layout.CELLS, layout.CELL_COUNT)
    }
    const [count = 0, bytesAt = 0, endsAt = 0] = this.#cells
    if (this.#ends.buffer === buffer && this.#ends.byteOffset === endsAt && this.#ends.length === count) return
    this.#ends = new Uint32Array(buffer, endsAt, count)
    this.#bytes = new Uint8Array(buffer, bytesAt, this.startOf(count))
  }
}

function packed(unit: IndexedUnit | null): Uint8Array {
  if (unit === null) return Uint8Array.of(layout.BY_RUN)
  const folded = Buffer.from(unit.text).map(foldedByte)
  if (folded.length > layout.MAX_FOLDED_BYTES) return Uint8Array.of(layout.BY_RUN)
  return Uint8Array.of((folded.length << 2) | (unit.spaceless ? layout.SPACELESS : layout.PLAIN), ...folded)
}

/** A way to make tables; `undefined` where there is no WebAssembly. */
export function loadWordTable(): ((seed: number) => NumberedWords) | undefined {
  const instantiate = loadWasm<TableExports>(new URL('./word-table.wasm', import.meta.url))
  return instantiate && ((seed) => new WasmWordTable(seed, instantiate))
}
