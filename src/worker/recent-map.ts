/** Remembers the latest answers in bounded memory: two maps, of which the older is dropped when the newer is full. */
export class RecentMap<Value> {
  readonly #limit: number
  #newer = new Map<string, Value>()
  #older = new Map<string, Value>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): Value | undefined {
    const newer = this.#newer.get(key)
    if (newer !== undefined) return newer
    const older = this.#older.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: string, value: Value): void {
    if (this.#newer.size >= this.#limit) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(key, value)
  }
}
