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

const leastMost = 64
/** Engines that take longer for a group are given smaller ones. */
const wantedMs = 2000

/**
 * Makes the pages of a second safe together: what archive, records and index were given goes out in few large requests,
 * and its visits are settled afterwards. A group that fails fails for all of its members.
 *
 * A group is full when it has as many members as the engines made safe in two seconds lately. Whoever brings more is to
 * wait: what piles up here brings nothing sooner, is held in memory, and is lost when the worker dies; and the piles of
 * several workers are more than an engine takes at once.
 */
export class SafeGroups {
  readonly #options: SafeGroupsOptions
  /** The group that can still be joined. */
  #open: Promise<void> | undefined
  #members = 0
  #most = leastMost
  #closing = Promise.withResolvers<void>()
  #last: Promise<void> = Promise.resolve()
  #waiting = new AbortController()

  constructor(options: SafeGroupsOptions) {
    this.#options = options
  }

  /** Resolves when all that was kept before this call is safe. */
  safe(): Promise<void> {
    this.#open ??= safely(() => this.#begin(this.#last))
    if (++this.#members >= this.#most) this.hasten()
    return this.#open
  }

  /** Resolves when further pages may be brought; `undefined`: now. */
  get room(): Promise<void> | undefined {
    return this.#open && this.#members >= this.#most ? this.#closing.promise : undefined
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
      const members = this.#close()
      const since = clock.now()
      await flush()
      this.#learn(members, clock.now() - since)
    } finally {
      flushed.resolve()
    }
  }

  #close(): number {
    const members = this.#members
    this.#open = undefined
    this.#members = 0
    this.#closing.resolve()
    this.#closing = Promise.withResolvers()
    return members
  }

  #learn(members: number, tookMs: number): void {
    const affordable = Math.max(leastMost, Math.floor((members * wantedMs) / Math.max(1, tookMs)))
    if (tookMs > wantedMs) this.#most = Math.min(this.#most, affordable)
    else if (members >= this.#most) this.#most = Math.min(2 * this.#most, affordable)
  }
}
