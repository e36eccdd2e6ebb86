/** As many requests at once as there are slots. A slot given back passes straight to who has waited longest. */
export class Slots {
  readonly #onGivenBack: (answered: boolean | undefined) => void
  #width: number
  #inUse = 0
  #waiting: ((taken: boolean) => void)[] = []
  /** Those before it have been served: taking the first of a long array would move all others. */
  #first = 0
  #closed = false
  #wasFull = false

  constructor(width: number, onGivenBack: (answered: boolean | undefined) => void = () => {}) {
    this.#width = width
    this.#onGivenBack = onGivenBack
  }

  get width(): number {
    return this.#width
  }

  get inUse(): number {
    return this.#inUse
  }

  /** Who waits for a slot, now. */
  get waiting(): number {
    return this.#waiting.length - this.#first
  }

  /** Whether anybody had to wait since this was last asked. */
  takeWasFull(): boolean {
    const was = this.#wasFull
    this.#wasFull = this.#first < this.#waiting.length
    return was
  }

  /** More slots are handed out at once; of fewer, those in use stay until they are given back. */
  resize(width: number): void {
    this.#width = width
    this.#serve()
  }

  /** True: a slot is taken, at once where there is one; false when none will be given any more. */
  take(): boolean | Promise<boolean> {
    if (this.#closed) return false
    if (this.#inUse < this.#width) {
      this.#inUse++
      return true
    }
    this.#wasFull = true
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** `answered`: whether the host answered; left out when it was not asked to the end. */
  giveBack(answered?: boolean): void {
    this.#inUse--
    this.#onGivenBack(answered)
    this.#serve()
  }

  close(): void {
    this.#closed = true
    for (const resolve of this.#waiting.splice(0).slice(this.#first)) resolve(false)
    this.#first = 0
  }

  #serve(): void {
    while (this.#inUse < this.#width && this.#first < this.#waiting.length) {
      this.#inUse++
      this.#waiting[this.#first++]!(true)
    }
    if (this.#first < Math.min(1024, Math.max(1, this.#waiting.length))) return
    this.#waiting = this.#waiting.slice(this.#first)
    this.#first = 0
  }
}
