/**
 * Names that the scanner knows, found by the hash it computes while it reads them: no string is made for a tag or an
 * attribute. A name that is not in the table answers 0.
 */
export class NameTable {
  readonly names: readonly string[]
  readonly #slots = new Uint8Array(1024)

  /** `names[0]` is never found: it stands for everything else. At most 255 names, lower case, ASCII. */
  constructor(names: readonly string[]) {
    this.names = names
    for (let id = 1; id < names.length; id++) {
      let slot = hashOf(names[id]!) & 1023
      while (this.#slots[slot] !== 0) slot = (slot + 1) & 1023
      this.#slots[slot] = id
    }
  }

  lookup(bytes: Uint8Array, start: number, end: number, hash: number): number {
    let slot = hash & 1023
    for (;;) {
      const id = this.#slots[slot]!
      if (id === 0 || sameName(bytes, start, end, this.names[id]!)) return id
      slot = (slot + 1) & 1023
    }
  }
}

/** One step of the hash, over bytes already in lower case. */
export function nextHash(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0
}

function hashOf(name: string): number {
  let hash = 0
  for (let i = 0; i < name.length; i++) hash = nextHash(hash, name.charCodeAt(i))
  return hash
}

function sameName(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false
  for (let i = 0; i < name.length; i++) {
    const byte = bytes[start + i]!
    const lower = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
    if (lower !== name.charCodeAt(i)) return false
  }
  return true
}
