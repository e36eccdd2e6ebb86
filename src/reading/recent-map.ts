/**
 * Remembers values of the latest strings in bounded memory: two maps, of which the older is dropped when the newer is full,
 * by characters.
 */
export class RecentMap<Value> {
  readonly #maxChars: number
  readonly #onDrop: () => void
  #chars = 0
  #newer = new Map<string, Value>()
  #older = new Map<string, Value>()

  /** `onDrop` is called when the older half is forgotten. */
  constructor(maxChars: number, onDrop: () => void = () => {}) {
    this.#maxChars = maxChars
    this.#onDrop = onDrop
  }

  get(text: string): Value | undefined {
    const value = this.#newer.get(text)
    if (value !== undefined) return value
    const old = this.#older.get(text)
    if (old !== undefined) this.set(text, old)
    return old
  }

  set(text: string, value: Value): void {
    this.#chars += text.length
    if (this.#chars > this.#maxChars) {
      this.#older = this.#newer
      this.#newer = new Map()
      this.#chars = text.length
      this.#onDrop()
    }
    this.#newer.set(text, value)
  }

  clear(): void {
    this.#newer.clear()
    this.#older.clear()
    this.#chars = 0
  }
}
