interface Batch<Item, Answer> {
  readonly items: readonly Item[]
  readonly resolve: (answers: readonly Answer[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends together what is asked for in one turn of the event loop, and while an earlier call is under way: up to `most`
 * items in a call, one call at a time.
 */
export class Gathering<Item, Answer> {
  readonly #most: number
  readonly #send: (items: readonly Item[]) => Promise<readonly Answer[]>
  #waiting: Batch<Item, Answer>[] = []
  #sending = false

  /** `send` answers one value for each item, in order. */
  constructor(most: number, send: (items: readonly Item[]) => Promise<readonly Answer[]>) {
    this.#most = most
    this.#send = send
  }

  get isIdle(): boolean {
    return !this.#sending
  }

  async add(items: readonly Item[]): Promise<readonly Answer[]> {
    if (items.length === 0) return []
    const { promise, resolve, reject } = Promise.withResolvers<readonly Answer[]>()
    this.#waiting.push({ items, resolve, reject })
    if (!this.#sending) {
      this.#sending = true
      setImmediate(() => void this.#sendAll())
    }
    return promise
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#sendSome(this.#waiting.splice(0))
    this.#sending = false
  }

  async #sendSome(batches: readonly Batch<Item, Answer>[]): Promise<void> {
    const items = batches.flatMap((batch) => batch.items)
    const calls: Promise<readonly Answer[]>[] = []
    for (let at = 0; at < items.length; at += this.#most) calls.push(this.#send(items.slice(at, at + this.#most)))
    try {
      const answers = (await Promise.all(calls)).flat()
      let at = 0
      for (const { items, resolve } of batches) {
        resolve(answers.slice(at, at + items.length))
        at += items.length
      }
    } catch (error) {
      for (const { reject } of batches) reject(error)
    }
  }
}
