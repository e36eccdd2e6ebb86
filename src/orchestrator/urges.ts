/** Wishes for more workers than the load asks for, until the autoscaler takes them. */
export class Urges {
  #more = 0

  add(workers: number): void {
    this.#more = Math.max(this.#more, workers)
  }

  take(): number {
    const more = this.#more
    this.#more = 0
    return more
  }
}
