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
  readonly #onIdle: () => void
  #waiting: Batch<Item, Answer>[] = []
  #sending = false
  #leaving = Promise.withResolvers<void>()

  /** `send` answers one value for each item, in order. `onIdle`: nothing is asked for any more. */
  constructor(
    most: number,
    send: (items: readonly Item[]) => Promise<readonly Answer[]>,
    onIdle: () => void = () => {},
  ) {
    this.#most = most
    this.#send = send
    this.#onIdle = onIdle
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

  /** Resolves when all that was asked for so far is on its way. */
  get gone(): Promise<void> {
    return this.#waiting.length === 0 ? Promise.resolve() : this.#leaving.promise
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#sendSome(this.#waiting.splice(0))
    this.#sending = false
    this.#onIdle()
  }

  async #sendSome(batches: readonly Batch<Item, Answer>[]): Promise<void> {
    const items = batches.flatMap((batch) => batch.items)
    const calls: Promise<readonly Answer[]>[] = []
    for (let at = 0; at < items.length; at += this.#most) calls.push(this.#send(items.slice(at, at + this.#most)))
    this.#leaving.resolve()
    this.#leaving = Promise.withResolvers()
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
