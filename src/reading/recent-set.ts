/**
 * Remembers the latest strings in bounded memory: two sets, of which the older is dropped when the newer is full, by
 * characters.
 */
export class RecentSet {
  readonly #maxChars: number
  #chars = 0
  #newer = new Set<string>()
  #older = new Set<string>()

  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  /** True if the text was not among them; it is from now on. */
  add(text: string): boolean {
    if (this.#newer.has(text)) return false
    const isNew = !this.#older.has(text)
    this.#chars += text.length
    if (this.#chars > this.#maxChars) {
      this.#older = this.#newer
      this.#newer = new Set()
      this.#chars = text.length
    }
    this.#newer.add(text)
    return isNew
  }
}
