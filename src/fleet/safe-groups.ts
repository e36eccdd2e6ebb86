import type { Clock } from '../clock.ts'
import { safely } from '../monitor/events.ts'

export interface SafeGroupsOptions {
  /** Makes safe all that was kept before; called again only when it has ended. */
  readonly flush: () => Promise<void>
  readonly clock: Clock
  /** So long a group waits for further members. */
  readonly everyMs: number
  /** Groups no longer wait, since nothing more will come. */
  readonly hurry: AbortSignal
}

/**
 * Makes the pages of a second safe together: what archive, records and index were given goes out in few large requests,
 * and its visits are settled afterwards. A group that fails fails for all of its members.
 */
export class SafeGroups {
  readonly #options: SafeGroupsOptions
  /** The group that can still be joined. */
  #open: Promise<void> | undefined
  #last: Promise<void> = Promise.resolve()
  #waiting = new AbortController()

  constructor(options: SafeGroupsOptions) {
    this.#options = options
  }

  /** Resolves when all that was kept before this call is safe. */
  safe(): Promise<void> {
    this.#open ??= safely(() => this.#begin(this.#last))
    return this.#open
  }

  /** Nothing more will come for now: the group that can still be joined no longer waits for it. */
  hasten(): void {
    this.#waiting.abort()
  }

  async #begin(before: Promise<void>): Promise<void> {
    const { flush, clock, everyMs, hurry } = this.#options
    const flushed = Promise.withResolvers<void>()
    this.#waiting = new AbortController()
    this.#last = flushed.promise.catch(() => {})
    try {
      await clock.sleep(everyMs, AbortSignal.any([hurry, this.#waiting.signal]))
      await before
      this.#open = undefined
      await flush()
    } finally {
      flushed.resolve()
    }
  }
}
