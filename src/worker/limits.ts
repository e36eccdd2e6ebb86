import * as z from 'zod'

export const limitsConfig = z.strictObject({
  maxPages: z.int().nonnegative().default(0).describe('Stop after so many pages. 0: no limit.'),
  maxDepth: z
    .int()
    .nonnegative()
    .nullable()
    .default(null)
    .describe('Follow so many links away from a seed. null: no limit.'),
  maxDurationMs: z.int().nonnegative().default(0).describe('Stop after so much time. 0: no limit.'),
  maxLinksPerPage: z
    .int()
    .nonnegative()
    .default(0)
    .describe('Take so many links of a page, the first ones; others are counted as `too-many-links`. 0: no limit.'),
  maxWaitMs: z
    .int()
    .nonnegative()
    .default(60_000)
    .describe(
      'Once nothing else is left: wait so long for hosts in trouble (429, 503, no answer), then give their URLs up. A host’s pace, such as a Crawl-delay, is always waited for.',
    ),
})

/** Whether a visit has become a page of the crawl; `unclear`: its lease was lost, before or after it was settled. */
export type WasPage = boolean | 'unclear'

/**
 * Keeps a crawl at exactly `maxPages`: a visit that may become a page reserves its place before it starts and gives it
 * back when it ends. So nothing is fetched in vain, however many visits are under way.
 */
export interface PageLimit {
  /** No further page may come. */
  readonly reached: boolean
  /** Waits until it is clear whether one more page may come. */
  reserve(): boolean | Promise<boolean>
  /** A visit that had reserved a place has ended. */
  giveBack(wasPage: WasPage): void
}

/** The limit of a crawl that this process alone works on. 0: none. */
export class LocalPageLimit implements PageLimit {
  #maxPages: number
  #pages: number
  #reserved = 0
  readonly #waiting: (() => void)[] = []

  constructor(maxPages: number, pagesSoFar: number) {
    this.#maxPages = maxPages || Number.POSITIVE_INFINITY
    this.#pages = pagesSoFar
  }

  get reached(): boolean {
    return this.#pages >= this.#maxPages
  }

  reserve(): boolean | Promise<boolean> {
    if (this.reached) return false
    if (this.#pages + this.#reserved >= this.#maxPages) return this.#wait()
    this.#reserved++
    return true
  }

  async #wait(): Promise<boolean> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return this.reserve()
  }

  giveBack(wasPage: WasPage): void {
    this.#reserved--
    // In one process nothing is answered that has not happened.
    if (wasPage === true) this.#pages++
    this.#serve()
  }

  /** Another limit from now on. 0: none. Pages that came already stay. */
  change(maxPages: number): void {
    this.#maxPages = maxPages || Number.POSITIVE_INFINITY
    this.#serve()
  }

  #serve(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
