import { borrowBuffer, giveBackBuffer } from '../body-buffers.ts'

const firstBytes = 16 * 1024
/** What a server announces decides about speed only: more than this it has to send before it is believed. */
const maxBelievedBytes = 256 * 1024
const nothing = Buffer.alloc(0)

/** A body as it grows. Takes at most twice its size, whatever the pieces in which it comes. */
export class BodyBytes {
  #memory: Buffer = nothing
  #length = 0
  readonly #expected: number

  /** `expected`: by what the server announced; 0: nothing was. */
  constructor(expected: number) {
    this.#expected = Math.min(Math.max(expected, 0), maxBelievedBytes)
  }

  get length(): number {
    return this.#length
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length
    if (length > this.#memory.length) this.#grow(length)
    this.#memory.set(piece, this.#length)
    this.#length = length
  }

  /** All of it, in memory that may be given back. Hardly larger there than it is, since it may be held for long. */
  whole(): Buffer {
    if (this.#length < this.#memory.length * 0.75) this.#move(this.#length)
    return this.#memory.subarray(0, this.#length)
  }

  #grow(length: number): void {
    const bytes =
      this.#length === 0 && this.#expected >= length ? this.#expected : Math.max(firstBytes, 2 * this.#length)
    this.#move(Math.max(bytes, length))
  }

  #move(bytes: number): void {
    const memory = borrowBuffer(bytes)
    if (this.#length > 0) {
      memory.set(this.#memory.subarray(0, this.#length))
      giveBackBuffer(this.#memory)
    }
    this.#memory = memory
  }
}
