/**
 * Memory for many queues of 32-bit ids, in blocks of seven ids and a link, held in large pages
 * outside the JavaScript heap: some 5 bytes an id, nothing for the garbage collector to walk, no pause when it grows.
 */
export class IdArena {
  readonly #pages: Uint32Array[] = []
  #used = 1
  #free = 0

  /** Block numbers start at 1; 0 means none. */
  allocate(): number {
    const block = this.#free || this.#used++
    if (block === this.#free) this.#free = this.get(block, linkSlot)
    else if (block >>> pageBits >= this.#pages.length) this.#pages.push(new Uint32Array(8 << pageBits))
    this.set(block, linkSlot, 0)
    return block
  }

  release(block: number): void {
    this.set(block, linkSlot, this.#free)
    this.#free = block
  }

  get(block: number, slot: number): number {
    return this.#pages[block >>> pageBits]![((block & pageMask) << 3) | slot]!
  }

  set(block: number, slot: number, value: number): void {
    this.#pages[block >>> pageBits]![((block & pageMask) << 3) | slot] = value
  }
}

export const idsPerBlock = 7
export const linkSlot = 7
const pageBits = 13
const pageMask = (1 << pageBits) - 1
