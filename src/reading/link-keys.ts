const SLOTS = 1 << 16

/** Values by 64-bit keys, in bounded memory: when it is half full it forgets everything and begins anew. */
export class LinkKeys<Value> {
  /** Low half, high half; both 0: free. */
  readonly #keys = new Int32Array(SLOTS * 2)
  readonly #values: (Value | undefined)[] = new Array(SLOTS).fill(undefined)
  #count = 0

  get(low: number, high: number): Value | undefined {
    return this.#values[this.#slotOf(low, high)]
  }

  set(low: number, high: number, value: Value): void {
    if (this.#count * 2 >= SLOTS) this.clear()
    const slot = this.#slotOf(low, high)
    if (this.#values[slot] === undefined) this.#count++
    this.#keys[slot * 2] = low
    this.#keys[slot * 2 + 1] = high
    this.#values[slot] = value
  }

  clear(): void {
    if (this.#count === 0) return
    this.#keys.fill(0)
    this.#values.fill(undefined)
    this.#count = 0
  }

  /** The slot with this key, or the free one where it would stand. */
  #slotOf(low: number, high: number): number {
    const keys = this.#keys
    let slot = (low ^ (high >>> 7)) & (SLOTS - 1)
    while (this.#values[slot] !== undefined && (keys[slot * 2] !== (low | 0) || keys[slot * 2 + 1] !== (high | 0)))
      slot = (slot + 1) & (SLOTS - 1)
    return slot
  }
}
