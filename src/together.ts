/**
 * Lets those go on together who came in one turn of the event loop, each after the other from step to step. Pages are
 * large and what is done with one is long: a page that goes its way alone finds of every step neither code nor data in
 * the processor's caches, for the step before has driven them out. Of thirty that go together only the first does.
 */
export class Together {
  #leaving: Promise<void> | undefined

  leave(): Promise<void> {
    this.#leaving ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#leaving = undefined
        resolve()
      })
    })
    return this.#leaving
  }
}
