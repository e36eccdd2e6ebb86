const SLOTS = 512

/** Numbers by hash, for one page after the other: of two with the same hash the later counts. */
export class KnownHashes {
  /** Hash, and number plus 1 (0: free). */
  #slots = new Int32Array(SLOTS * 2)
  #count = 0

  /** -1: there is none. */
  get(hash: number): number {
    return this.#slots[this.#slotOf(hash) + 1]! - 1
  }

  set(hash: number, number: number): void {
    const at = this.#slotOf(hash)
    const isNew = this.#slots[at + 1] === 0
    this.#slots[at] = hash
    this.#slots[at + 1] = number + 1
    if (isNew && ++this.#count * 4 > this.#slots.length) this.#grow()
  }

  /** What a page with many needed is not kept. */
  clear(): void {
    if (this.#slots.length > SLOTS * 2) this.#slots = new Int32Array(SLOTS * 2)
    else this.#slots.fill(0)
    this.#count = 0
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2)
    this.#count = 0
    for (let at = 0; at < old.length; at += 2) if (old[at + 1] !== 0) this.set(old[at]!, old[at + 1]! - 1)
  }

  /** Where the slot with this hash begins, or the free one where it would stand. */
  #slotOf(hash: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    const spread = Math.imul(hash, 0x9e3779b1)
    let at = ((spread ^ (spread >>> 15)) << 1) & mask
    while (slots[at + 1] !== 0 && slots[at] !== hash) at = (at + 2) & mask
    return at
  }
}
