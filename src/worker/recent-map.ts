/**
 * Remembers the latest answers in bounded memory: two maps, of which the older is dropped when the newer is full, by
 * characters of its keys.
 */
export class RecentMap<Value> {
  readonly #maxChars: number
  #chars = 0
  #newer = new Map<string, Value>()
  #older = new Map<string, Value>()

  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  get(key: string): Value | undefined {
    const newer = this.#newer.get(key)
    if (newer !== undefined) return newer
    const older = this.#older.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: string, value: Value): void {
    this.#chars += key.length
    if (this.#chars > this.#maxChars) {
      this.#older = this.#newer
      this.#newer = new Map()
      this.#chars = key.length
    }
    this.#newer.set(key, value)
  }
}
