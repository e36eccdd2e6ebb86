/** The best of very many that pass by, never more than `limit` of them kept: a heap with the worst at its top. */
export class BestFew {
  readonly #limit: number
  readonly #compare: (one: number, other: number) => number
  readonly #heap: number[] = []

  /** `compare`: below 0 when the first is the better one. */
  constructor(limit: number, compare: (one: number, other: number) => number) {
    this.#limit = limit
    this.#compare = compare
  }

  see(value: number): void {
    const heap = this.#heap
    if (heap.length < this.#limit) {
      heap.push(value)
      this.#rise(heap.length - 1)
    } else if (this.#limit > 0 && this.#compare(value, heap[0]!) < 0) {
      heap[0] = value
      this.#sink()
    }
  }

  /** The best first. */
  sorted(): number[] {
    return this.#heap.toSorted(this.#compare)
  }

  #rise(from: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#compare(this.#heap[at]!, this.#heap[parent]!) <= 0) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(): void {
    const heap = this.#heap
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      if (left >= heap.length) return
      const right = left + 1
      const worse = right < heap.length && this.#compare(heap[right]!, heap[left]!) > 0 ? right : left
      if (this.#compare(heap[worse]!, heap[at]!) <= 0) return
      this.#swap(at, worse)
      at = worse
    }
  }

  #swap(one: number, other: number): void {
    const heap = this.#heap
    ;[heap[one], heap[other]] = [heap[other]!, heap[one]!]
  }
}
