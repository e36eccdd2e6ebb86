import type { Clock } from '../clock.ts'

export interface LatestAnswersOptions<Answer> {
  readonly ask: (crawl: string) => Promise<Answer>
  readonly askAgainMs: number
  readonly clock: Pick<Clock, 'now'>
  /** A question had no answer; told once, until there is one. */
  readonly onFault: (crawl: string, error: unknown) => void
}

interface Asked<Answer> {
  /** `null`: the last question had no answer. */
  known: Answer | null | undefined
  askedAt: number
  asking: Promise<void> | undefined
}

/**
 * What an engine says of each crawl, as it was a moment ago. It is asked beside those who ask us, so that an engine that is
 * slow or away holds up nobody: then its answer is not known.
 */
export class LatestAnswers<Answer> implements AsyncDisposable {
  readonly #options: LatestAnswersOptions<Answer>
  readonly #crawls = new Map<string, Asked<Answer>>()

  constructor(options: LatestAnswersOptions<Answer>) {
    this.#options = options
  }

  /** `null`: not known, or not yet. */
  of(crawl: string): Answer | null {
    const asked = this.#asked(crawl)
    const { clock, askAgainMs } = this.#options
    if (!asked.asking && clock.now() - asked.askedAt > askAgainMs) asked.asking = this.#ask(crawl, asked)
    return asked.known ?? null
  }

  /** Of others nothing is asked any more. Resolves when nothing is being asked of them. */
  async keepOnly(crawls: ReadonlySet<string>): Promise<void> {
    const others = [...this.#crawls].filter(([crawl]) => !crawls.has(crawl))
    for (const [crawl] of others) this.#crawls.delete(crawl)
    await Promise.all(others.map(([, { asking }]) => asking))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.keepOnly(new Set())
  }

  #asked(crawl: string): Asked<Answer> {
    let asked = this.#crawls.get(crawl)
    if (!asked) {
      asked = { known: undefined, askedAt: Number.NEGATIVE_INFINITY, asking: undefined }
      this.#crawls.set(crawl, asked)
    }
    return asked
  }

  async #ask(crawl: string, asked: Asked<Answer>): Promise<void> {
    const { ask, clock, onFault } = this.#options
    try {
      asked.known = await ask(crawl)
    } catch (error) {
      if (asked.known !== null) onFault(crawl, error)
      asked.known = null
    }
    asked.askedAt = clock.now()
    asked.asking = undefined
  }
}
