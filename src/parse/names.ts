/**
 * Names that the scanner knows, found by the letters that it packs into numbers while it reads them: no string is made for a
 * tag or an attribute. A name that is not in the table answers 0.
 */
export class NameTable {
  readonly names: readonly string[]
  /** First four letters, the next four, length, id. */
  readonly #slots = new Int32Array(SLOTS * 4)

  /** `names[0]` is never found: it stands for everything else. Lower case, ASCII; far fewer than slots. */
  constructor(names: readonly string[]) {
    this.names = names
    for (let id = 1; id < names.length; id++) {
      const name = Buffer.from(names[id]!)
      const [first, second] = [packed(name, 0, name.length), packed(name, 4, name.length)]
      let at = slotOf(first, second)
      while (this.#slots[at + 3] !== 0) at = (at + 4) & MASK
      this.#slots.set([first, second, name.length, id], at)
    }
  }

  find(bytes: Uint8Array, start: number, end: number): number {
    return this.lookup(bytes, start, end, packed(bytes, start, end), packed(bytes, start + 4, end))
  }

  /** The same for those who have read it. `first`, `second`: what is `packed` of it and of what is behind four bytes. */
  lookup(bytes: Uint8Array, start: number, end: number, first: number, second: number): number {
    const slots = this.#slots
    for (let at = slotOf(first, second); ; at = (at + 4) & MASK) {
      const id = slots[at + 3]!
      if (id === 0) return 0
      if (slots[at] !== first || slots[at + 1] !== second || slots[at + 2] !== end - start) continue
      if (end - start <= 8 || sameName(bytes, start, end, this.names[id]!)) return id
    }
  }
}

/** By byte; only letters of ASCII have another. */
const lowerCase = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte))

const SLOTS = 1024
const MASK = SLOTS * 4 - 1

function slotOf(first: number, second: number): number {
  return (Math.imul(first ^ Math.imul(second, 0x85ebca6b), 0x9e3779b1) >>> 22) * 4
}

/** Up to four bytes in lower case, the first of them highest. */
export function packed(bytes: Uint8Array, start: number, end: number): number {
  let four = 0
  for (let at = start; at < start + 4; at++) four = (four << 8) | (at < end ? lowerCase[bytes[at]!]! : 0)
  return four
}

function sameName(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false
  for (let i = 0; i < name.length; i++) if (lowerCase[bytes[start + i]!] !== name.charCodeAt(i)) return false
  return true
}
