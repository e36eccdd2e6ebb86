/** As many requests at once as there are slots. A slot given back passes straight to who has waited longest. */
export class Slots {
  #free: number
  readonly #waiting: ((taken: boolean) => void)[] = []
  #closed = false

  constructor(width: number) {
    this.#free = width
  }

  /** Resolves with a slot taken; false when none will be given any more. */
  async take(): Promise<boolean> {
    if (this.#closed) return false
    if (this.#free > 0) {
      this.#free--
      return true
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  giveBack(): void {
    const next = this.#waiting.shift()
    if (next) next(true)
    else this.#free++
  }

  close(): void {
    this.#closed = true
    for (const resolve of this.#waiting.splice(0)) resolve(false)
  }
}
