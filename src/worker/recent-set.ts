/** Remembers the latest strings in bounded memory: two sets, of which the older is dropped when the newer is full. */
export class RecentSet {
  readonly #limit: number
  #newer = new Set<string>()
  #older = new Set<string>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** True if the text was not among them; it is from now on. */
  add(text: string): boolean {
    if (this.#newer.has(text)) return false
    const isNew = !this.#older.has(text)
    if (this.#newer.size >= this.#limit) {
      this.#older = this.#newer
      this.#newer = new Set()
    }
    this.#newer.add(text)
    return isNew
  }
}
