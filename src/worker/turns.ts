/** One task at a time for each key, in the order of arrival; those of other keys do not wait. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  take<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const mine = before ? before.then(task, task) : task()
    this.#last.set(key, mine)
    const end = () => {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
    mine.then(end, end)
    return mine
  }
}
