import { BLOCKS, type Member } from './bucket.ts'

/** Numbers of an entry. */
const ENTRY_NUMBERS = 4
const ROW = 0
const HIGH = 1
const LOW = 2
/** The entry before it in the same block, or in the list of free ones; 0: there is none. */
const BEFORE = 3

/** Members of buckets that are not yet on disk, in flat arrays: an original costs no objects that would live for long. */
export class WaitingMembers {
  /** The last entry of each block; 0: it has none. */
  readonly #last = new Int32Array(BLOCKS)
  /** No entry has the number 0. */
  #entries = new Int32Array(1024 * ENTRY_NUMBERS)
  #used = 1
  #free = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  add(block: number, { row, high, low }: Member): void {
    const at = this.#newEntry() * ENTRY_NUMBERS
    this.#entries[at + ROW] = row
    this.#entries[at + HIGH] = high
    this.#entries[at + LOW] = low
    this.#entries[at + BEFORE] = this.#last[block]!
    this.#last[block] = at / ENTRY_NUMBERS
    this.#count++
  }

  /** Adds rows of the newest members of a block that are near. */
  addNear(block: number, isNear: (high: number, low: number) => boolean, most: number, rows: number[]): void {
    const entries = this.#entries
    let left = most
    for (let entry = this.#last[block]!; entry !== 0 && left > 0; left--) {
      const at = entry * ENTRY_NUMBERS
      if (isNear(entries[at + HIGH]!, entries[at + LOW]!)) rows.push(entries[at + ROW]! >>> 0)
      entry = entries[at + BEFORE]!
    }
  }

  /** Takes all members of a block out, oldest first. */
  take(block: number): Member[] {
    const entries = this.#entries
    const members: Member[] = []
    for (let entry = this.#last[block]!; entry !== 0; ) {
      const at = entry * ENTRY_NUMBERS
      members.push({ row: entries[at + ROW]! >>> 0, high: entries[at + HIGH]!, low: entries[at + LOW]! })
      const before = entries[at + BEFORE]!
      entries[at + BEFORE] = this.#free
      this.#free = entry
      entry = before
    }
    this.#last[block] = 0
    this.#count -= members.length
    return members.reverse()
  }

  #newEntry(): number {
    if (this.#free !== 0) {
      const entry = this.#free
      this.#free = this.#entries[entry * ENTRY_NUMBERS + BEFORE]!
      return entry
    }
    if ((this.#used + 1) * ENTRY_NUMBERS > this.#entries.length) {
      const larger = new Int32Array(this.#entries.length * 2)
      larger.set(this.#entries)
      this.#entries = larger
    }
    return this.#used++
  }
}
