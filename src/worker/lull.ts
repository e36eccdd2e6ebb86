import type { Slots } from './slots.ts'

/**
 * Notices when nothing more will come for now: no open host has anything left to begin, and no visit is being made. Then
 * what waits for company, to be made safe together, waits in vain.
 */
export class Lull {
  readonly #slots: Pick<Slots, 'inUse'>
  readonly #onLull: () => void
  #going = 0

  constructor(slots: Pick<Slots, 'inUse'>, onLull: () => void) {
    this.#slots = slots
    this.#onLull = onLull
  }

  /** A session has begun. */
  begun(): void {
    this.#going++
  }

  /** A session will begin no further visit. */
  over(): void {
    this.#going--
    this.look()
  }

  /** A visit has come to where it waits. */
  look(): void {
    if (this.#going === 0 && this.#slots.inUse === 0) this.#onLull()
  }
}
