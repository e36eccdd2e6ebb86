/** Numbers ordered by the moment at which they are due: a binary heap in two flat arrays. */
export class TimeHeap {
  readonly #times: number[] = []
  readonly #items: number[] = []

  get length(): number {
    return this.#times.length
  }

  /** The earliest moment; `undefined` when empty. */
  get firstAt(): number | undefined {
    return this.#times[0]
  }

  get first(): number | undefined {
    return this.#items[0]
  }

  push(time: number, item: number): void {
    let at = this.#times.length
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#times[parent]! <= time) break
      this.#times[at] = this.#times[parent]!
      this.#items[at] = this.#items[parent]!
      at = parent
    }
    this.#times[at] = time
    this.#items[at] = item
  }

  /** Takes the earliest item if it is due by `now`. */
  popDue(now: number): number | undefined {
    if (this.#times.length === 0 || this.#times[0]! > now) return undefined
    const first = this.#items[0]
    const time = this.#times.pop()!
    const item = this.#items.pop()!
    if (this.#times.length > 0) this.#sink(time, item)
    return first
  }

  #sink(time: number, item: number): void {
    const size = this.#times.length
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && this.#times[child + 1]! < this.#times[child]!) child++
      if (this.#times[child]! >= time) break
      this.#times[at] = this.#times[child]!
      this.#items[at] = this.#items[child]!
      at = child
    }
    this.#times[at] = time
    this.#items[at] = item
  }
}
