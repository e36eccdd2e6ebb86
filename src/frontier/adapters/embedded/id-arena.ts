/**
 * Memory for many first-in-first-out queues of 32-bit ids, in blocks of seven ids and a link, held in large pages
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

/** A queue of ids in an arena. */
export class IdFifo {
  readonly #arena: IdArena
  #head = 0
  #headSlot = 0
  #tail = 0
  #tailSlot = 0
  length = 0

  constructor(arena: IdArena) {
    this.#arena = arena
  }

  push(id: number): void {
    if (this.#tail === 0) {
      this.#head = this.#tail = this.#arena.allocate()
    } else if (this.#tailSlot === idsPerBlock) {
      const block = this.#arena.allocate()
      this.#arena.set(this.#tail, linkSlot, block)
      this.#tail = block
      this.#tailSlot = 0
    }
    this.#arena.set(this.#tail, this.#tailSlot++, id)
    this.length++
  }

  shift(): number | undefined {
    if (this.length === 0) return undefined
    const id = this.#arena.get(this.#head, this.#headSlot++)
    this.length--
    if (this.length === 0 || this.#headSlot === idsPerBlock) this.#dropHead()
    return id
  }

  #dropHead(): void {
    const next = this.#arena.get(this.#head, linkSlot)
    this.#arena.release(this.#head)
    this.#head = next
    this.#headSlot = 0
    if (this.length === 0) this.#head = this.#tail = this.#tailSlot = 0
  }
}
