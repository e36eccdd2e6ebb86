/**
 * Names that the scanner knows, found by the letters that it packs into numbers while it reads them: no string is made for a
 * tag or an attribute. A name that is not in the table answers 0.
 */
export class NameTable {
  readonly names: readonly string[]
  /** Last four letters, the four before them, length, id. */
  readonly #slots = new Int32Array(SLOTS * 4)

  /** `names[0]` is never found: it stands for everything else. Lower case, ASCII; far fewer than slots. */
  constructor(names: readonly string[]) {
    this.names = names
    for (let id = 1; id < names.length; id++) {
      const name = Buffer.from(names[id]!)
      const { low, high } = packed(name)
      let at = slotOf(low, high)
      while (this.#slots[at + 3] !== 0) at = (at + 4) & MASK
      this.#slots.set([low, high, name.length, id], at)
    }
  }

  find(bytes: Uint8Array, start: number, end: number): number {
    let low = 0
    let high = 0
    for (let at = start; at < end; at++) {
      high = (high << 8) | (low >>> 24)
      low = (low << 8) | lowerCase[bytes[at]!]!
    }
    return this.lookup(bytes, start, end, low, high)
  }

  /** The same for those who have read it. `low`, `high`: its last four bytes and the four before them, in lower case. */
  lookup(bytes: Uint8Array, start: number, end: number, low: number, high: number): number {
    const slots = this.#slots
    for (let at = slotOf(low, high); ; at = (at + 4) & MASK) {
      const id = slots[at + 3]!
      if (id === 0) return 0
      if (slots[at] !== low || slots[at + 1] !== high || slots[at + 2] !== end - start) continue
      if (end - start <= 8 || sameName(bytes, start, end, this.names[id]!)) return id
    }
  }
}

/** By byte; only letters of ASCII have another. */
export const lowerCase = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte,
)

const SLOTS = 1024
const MASK = SLOTS * 4 - 1

function slotOf(low: number, high: number): number {
  return (Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> 22) * 4
}

function packed(name: Uint8Array): { readonly low: number; readonly high: number } {
  let [low, high] = [0, 0]
  for (const byte of name) {
    high = (high << 8) | (low >>> 24)
    low = (low << 8) | byte
  }
  return { low, high }
}

function sameName(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false
  for (let i = 0; i < name.length; i++) if (lowerCase[bytes[start + i]!] !== name.charCodeAt(i)) return false
  return true
}
