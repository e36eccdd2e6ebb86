/** How a crawl comes to its end before it is finished: in order, at once, or because it cannot go on. */
export class Ending {
  readonly #draining = new AbortController()
  readonly #aborting = new AbortController()
  #failure: { readonly error: unknown } | undefined

  /** Set: begin no further visit. */
  get draining(): AbortSignal {
    return this.#draining.signal
  }

  /** Set: give up visits under way too. */
  get aborting(): AbortSignal {
    return this.#aborting.signal
  }

  drain(): void {
    this.#draining.abort()
  }

  abort(): void {
    this.#draining.abort()
    this.#aborting.abort()
  }

  /** The first error counts. */
  fail(error: unknown): void {
    this.#failure ??= { error }
    this.abort()
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  throwFailure(): void {
    if (this.#failure) throw this.#failure.error
  }
}
