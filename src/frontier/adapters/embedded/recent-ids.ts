/**
 * Fingerprints of the newest URLs with their ids, before they go to the database: an open-addressing table of fixed
 * size. Fingerprints are 53-bit integers; several ids may share one.
 */
export class RecentIds {
  readonly #fingerprints: Float64Array
  readonly #ids: Uint32Array
  readonly #mask: number
  readonly capacity: number
  size = 0
  lastId = 0

  constructor(slotBits: number) {
    this.#fingerprints = new Float64Array(1 << slotBits)
    this.#ids = new Uint32Array(1 << slotBits)
    this.#mask = (1 << slotBits) - 1
    this.capacity = 1 << (slotBits - 1)
  }

  /** Ids rise from call to call. */
  add(fingerprint: number, id: number): void {
    let slot = this.#firstSlot(fingerprint)
    while (this.#ids[slot] !== 0) slot = (slot + 1) & this.#mask
    this.#fingerprints[slot] = fingerprint
    this.#ids[slot] = id
    this.size++
    this.lastId = id
  }

  find(fingerprint: number, accept: (id: number) => boolean): number | undefined {
    let slot = this.#firstSlot(fingerprint)
    for (let id = this.#ids[slot]!; id !== 0; id = this.#ids[slot]!) {
      if (this.#fingerprints[slot] === fingerprint && accept(id)) return id
      slot = (slot + 1) & this.#mask
    }
    return undefined
  }

  /** Fingerprints in rising order, each as often as it was added. */
  sorted(): Float64Array {
    const used = new Float64Array(this.size)
    let count = 0
    for (let slot = 0; slot <= this.#mask; slot++) if (this.#ids[slot] !== 0) used[count++] = this.#fingerprints[slot]!
    return used.sort()
  }

  #firstSlot(fingerprint: number): number {
    return (fingerprint % 0x1fffffff) & this.#mask
  }
}
