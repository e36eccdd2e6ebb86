const SLOTS = 1 << 16
/** Low half and high half of the key, and its number plus 1 (0: free); filled up, so that a slot is in one line of the cache. */
const WIDTH = 4

/** Numbers by 64-bit keys, in bounded memory: when it is half full it forgets everything and begins anew. */
export class LinkKeys {
  readonly #slots = new Int32Array(SLOTS * WIDTH)
  #count = 0

  /** -1: there is none. */
  get(low: number, high: number): number {
    return this.#slots[this.#slotOf(low, high) + 2]! - 1
  }

  set(low: number, high: number, number: number): void {
    if (this.#count * 2 >= SLOTS) this.clear()
    const at = this.#slotOf(low, high)
    if (this.#slots[at + 2] === 0) this.#count++
    this.#slots[at] = low
    this.#slots[at + 1] = high
    this.#slots[at + 2] = number + 1
  }

  clear(): void {
    if (this.#count === 0) return
    this.#slots.fill(0)
    this.#count = 0
  }

  /** Where the slot with this key begins, or the free one where it would stand. */
  #slotOf(low: number, high: number): number {
    const slots = this.#slots
    let at = ((low ^ (high >>> 7)) & (SLOTS - 1)) * WIDTH
    while (slots[at + 2] !== 0 && (slots[at] !== (low | 0) || slots[at + 1] !== (high | 0)))
      at = (at + WIDTH) & (SLOTS * WIDTH - 1)
    return at
  }
}
