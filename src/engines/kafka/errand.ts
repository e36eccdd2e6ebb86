/** Does something whenever it is asked to; asked while at it, it does it once more. Never twice at the same time. */
export class Errand {
  readonly #task: () => Promise<void>
  #running: Promise<void> | undefined
  #isAsked = false

  /** `task` must not reject. */
  constructor(task: () => Promise<void>) {
    this.#task = task
  }

  get isIdle(): boolean {
    return this.#running === undefined
  }

  /** Resolves when all that was asked for is done. */
  ask(): Promise<void> {
    this.#isAsked = true
    this.#running ??= this.#run()
    return this.#running
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false
      await this.#task()
    }
    // In the same step as the question: who asks later finds nobody running.
    this.#running = undefined
  }
}
