import { z } from 'zod'
import type { Tally } from './tally.ts'

export const limitsConfig = z.strictObject({
  maxPages: z.int().nonnegative().default(0).describe('Stop after so many pages. 0: no limit.'),
  maxDepth: z
    .int()
    .nonnegative()
    .nullable()
    .default(null)
    .describe('Follow so many links away from a seed. null: no limit.'),
  maxDurationMs: z.int().nonnegative().default(0).describe('Stop after so much time. 0: no limit.'),
  maxWaitMs: z
    .int()
    .nonnegative()
    .default(60_000)
    .describe('Once nothing else is left: wait so long for hosts that asked for patience, then give their URLs up.'),
})

export type LimitsConfig = z.infer<typeof limitsConfig>

/**
 * Keeps a crawl at exactly `maxPages`: a visit that may become a page reserves its place before it starts and gives it
 * back when it ends. So nothing is fetched in vain, however many visits are under way.
 */
export class PageLimit {
  readonly #maxPages: number
  readonly #tally: Tally
  #reserved = 0
  readonly #waiting: (() => void)[] = []

  constructor(maxPages: number, tally: Tally) {
    this.#maxPages = maxPages || Number.POSITIVE_INFINITY
    this.#tally = tally
  }

  get reached(): boolean {
    return this.#tally.pages >= this.#maxPages
  }

  /** Waits until it is clear whether one more page may come. */
  async reserve(): Promise<boolean> {
    while (!this.reached && this.#tally.pages + this.#reserved >= this.#maxPages)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.reached) return false
    this.#reserved++
    return true
  }

  giveBack(): void {
    this.#reserved--
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
