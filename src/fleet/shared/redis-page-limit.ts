import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { PageLimit, WasPage } from '../../worker/limits.ts'
import { type PageGrants, type PageGrantsOptions, pageGrants } from './page-grants.ts'

interface Waiting {
  readonly resolve: (mayCome: boolean) => void
  readonly reject: (error: unknown) => void
}

export interface RedisPageLimitOptions extends PageGrantsOptions {
  readonly worker: string
  /** How long until grants that nobody uses go back, and until one that waits asks again. */
  readonly everyMs?: number
}

/**
 * Keeps a crawl at exactly `maxPages` over a whole fleet. Grants are taken in blocks, so that most visits ask nobody; what
 * a visit did not turn into a page serves the next one. 0: no limit.
 */
export class RedisPageLimit implements PageLimit, AsyncDisposable {
  readonly #grants: PageGrants
  readonly #clock: Clock
  readonly #worker: string
  readonly #maxPages: number
  readonly #everyMs: number
  readonly #closed = new AbortController()
  readonly #waiting: Waiting[] = []
  #inHand = 0
  #underWay = 0
  #turned = 0
  /** Names this worker's account in the engine; undefined: none has been opened. */
  #token: string | undefined
  #isReached = false
  #wasUsed = false
  /** As the engine said last: grants that nobody has, and whether somebody still has some. */
  #left = Number.POSITIVE_INFINITY
  #allAreUsed = false
  #countedAt = Number.NEGATIVE_INFINITY
  #failure: unknown
  #asking: Promise<void> | undefined
  #ticking: Promise<void> | undefined
  /** Ends a pause early: there is something new to tell. */
  #news = new AbortController()

  constructor({ worker, everyMs = 1000, ...options }: RedisPageLimitOptions) {
    this.#grants = pageGrants(options)
    this.#clock = options.clock
    this.#worker = worker
    this.#maxPages = options.maxPages
    this.#everyMs = everyMs
  }

  get reached(): boolean {
    return this.#isReached
  }

  async reserve(): Promise<boolean> {
    if (this.#maxPages === 0) return true
    if (this.#failure !== undefined) throw this.#failure
    if (this.#isReached) return false
    this.#wasUsed = true
    this.#ticking ??= this.#tick().catch((error) => this.#fail(error))
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    this.#waiting.push({ resolve, reject })
    this.#serve()
    return promise
  }

  /** `true` once the page is settled; after `false` the visit can settle no page. What is unclear the next count mends. */
  giveBack(wasPage: WasPage): void {
    if (this.#maxPages === 0) return
    this.#underWay--
    if (wasPage !== false) this.#turned++
    else this.#inHand++
    this.#serve()
    if (this.#waiting.length > 0) this.#news.abort()
  }

  /** Gives back what is in hand. Visits that are still under way keep their grants until the worker counts as dead. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort()
    await Promise.all([this.#asking, this.#ticking])
    if (this.#token === undefined || this.#failure !== undefined) return
    this.#inHand = 0
    await this.#report(0, this.#underWay === 0)
  }

  #serve(): void {
    while (this.#inHand > 0 && this.#waiting.length > 0) {
      this.#inHand--
      this.#underWay++
      this.#waiting.shift()!.resolve(true)
    }
    if (this.#waiting.length > 0)
      this.#asking ??= this.#ask()
        .catch((error) => this.#fail(error))
        .finally(() => {
          this.#asking = undefined
          // Whoever came while the last answer was being handled.
          if (this.#waiting.length > 0 && !this.#closed.signal.aborted) this.#serve()
        })
  }

  async #ask(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#closed.signal.aborted) {
      if ((await this.#report(this.#waiting.length + BLOCK, false)) > 0) continue
      if (this.#allAreUsed || this.#clock.now() >= this.#countedAt + this.#everyMs) await this.#count()
      else await this.#pause()
    }
    for (const { resolve } of this.#waiting.splice(0)) resolve(false)
  }

  async #tick(): Promise<void> {
    while (!this.#closed.signal.aborted && !this.#isReached && this.#failure === undefined) {
      this.#wasUsed = false
      await this.#clock.sleep(this.#everyMs, this.#closed.signal)
      if (this.#asking || this.#token === undefined || this.#closed.signal.aborted) continue
      // Others may wait for what is of no use here.
      if (!this.#wasUsed || this.#left <= 0) this.#inHand = 0
      this.#asking = this.#report(0, false).then(() => (this.#left <= 0 ? this.#count() : undefined))
      try {
        await this.#asking
      } finally {
        this.#asking = undefined
      }
      this.#serve()
    }
  }

  /** Tells what is held, and takes up to `wanted` more. Answers how many. One at a time: see `#asking`. */
  async #report(wanted: number, leaves: boolean): Promise<number> {
    for (;;) {
      const begins = this.#token === undefined
      // What an earlier account of this worker turned into pages and could not tell must be counted before it goes.
      if (begins) await this.#count()
      const token = this.#token ?? randomUUID()
      const held = this.#inHand + this.#underWay
      const report = { worker: this.#worker, token, begins, held, turned: this.#turned, wanted, leaves }
      const answer = await this.#grants.report(report)
      switch (answer.kind) {
        case 'granted':
          this.#token = token
          this.#left = answer.left
          this.#allAreUsed = answer.left <= 0 && answer.heldByAll === 0
          this.#inHand += answer.granted
          this.#serve()
          return answer.granted
        case 'uncounted':
          await this.#count()
          break
        case 'unknown':
          this.#token = undefined
          this.#inHand = 0
          this.#turned = 0
          break
        default:
          answer satisfies never
      }
    }
  }

  async #count(): Promise<void> {
    const settled = await this.#grants.count()
    this.#countedAt = this.#clock.now()
    if (settled < this.#maxPages) return
    this.#isReached = true
    for (const { resolve } of this.#waiting.splice(0)) resolve(false)
  }

  async #pause(): Promise<void> {
    this.#news = new AbortController()
    const waitMs = this.#countedAt + this.#everyMs - this.#clock.now()
    await this.#clock.sleep(waitMs, AbortSignal.any([this.#news.signal, this.#closed.signal]))
  }

  #fail(error: unknown): void {
    this.#failure = error
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}

const BLOCK = 32
