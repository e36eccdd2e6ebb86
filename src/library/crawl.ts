import { type FolderCrawl, openCrawl } from '../app.ts'
import { UsageError } from '../config/usage-error.ts'
import type { Progress } from '../running-crawl.ts'
import { type Summary, summarizer } from '../summary.ts'
import type { CrawledPage } from '../worker/visit.ts'
import type { EndReason } from '../worker/worker.ts'
import { Handover, ReaderLeft } from './handover.ts'
import {
  type CrawlOptions,
  type OrderedCrawl,
  orderCrawl,
  type ResumeOptions,
  type RunOptions,
  reorderCrawl,
} from './options.ts'

/**
 * A crawl that begins when it is iterated or awaited, and not before.
 *
 * Iterated, it gives its pages one by one and waits for the loop: a page counts as visited when the loop asks for the next
 * one. Leaving the loop, by `break` or by an error, stops the crawl in order; the page it was left at and those under way
 * stay queued and come again on `resume`. Awaited, it gives its summary.
 */
export class Crawl implements AsyncIterable<CrawledPage>, PromiseLike<Summary> {
  readonly #order: () => OrderedCrawl
  readonly #options: RunOptions
  readonly #stopping = new AbortController()
  #running: FolderCrawl | undefined
  #ended: Promise<Summary> | undefined

  constructor(order: () => OrderedCrawl, options: RunOptions) {
    this.#order = order
    this.#options = options
  }

  /** Begins no further visit; pages under way are still given, then the crawl ends with `stopped`. `resume` goes on. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Runs the crawl, unless it runs already, and resolves when it has ended and everything is stored. */
  summary(): Promise<Summary> {
    this.#ended ??= this.#run(this.#options.onPage)
    return this.#ended
  }

  /** `undefined`: it does not run. */
  async progress(): Promise<Progress | undefined> {
    return this.#running?.progress()
  }

  then<Value = Summary, Otherwise = never>(
    onSummary?: ((summary: Summary) => Value | PromiseLike<Value>) | null,
    onError?: ((error: unknown) => Otherwise | PromiseLike<Otherwise>) | null,
  ): Promise<Value | Otherwise> {
    return this.summary().then(onSummary, onError)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<CrawledPage, void, undefined> {
    if (this.#ended) throw new UsageError('This crawl runs or has run already; its pages can be iterated once.')
    const { onPage } = this.#options
    const handover = new Handover<CrawledPage>()
    const ended = this.#run(async (page) => {
      await onPage?.(page)
      await handover.give(page)
    })
    this.#ended = ended
    ended.then(
      () => handover.end(),
      (error) => handover.fail(error),
    )
    try {
      for (let page = await handover.take(); page; page = await handover.take()) yield page
    } finally {
      handover.leave()
      this.#running?.abort()
      await ended
    }
  }

  async #run(onPage: RunOptions['onPage']): Promise<Summary> {
    const summarize = summarizer()
    const { folder, config } = this.#order()
    await using running = await openCrawl(folder, config, onPage)
    using _stop = whenAborted([this.#stopping.signal, this.#options.signal], () => running.drain())
    this.#running = running
    try {
      const reason = await reasonOf(running)
      return summarize(await running.progress(), reason)
    } finally {
      this.#running = undefined
    }
  }
}

async function reasonOf(running: FolderCrawl): Promise<EndReason> {
  try {
    return await running.run()
  } catch (error) {
    if (error instanceof ReaderLeft) return 'stopped'
    throw error
  }
}

function whenAborted(signals: readonly (AbortSignal | undefined)[], act: () => void): Disposable {
  const signal = AbortSignal.any(signals.filter((one) => one !== undefined))
  if (signal.aborted) act()
  signal.addEventListener('abort', act)
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', act) }
}

/**
 * Crawls into a new folder, politely, until everything in scope is visited or a limit is reached.
 *
 *     for await (const page of crawl({ seeds: ['https://example.com/'], maxPages: 100 })) console.log(page.title)
 *     const summary = await crawl({ seeds: ['https://example.com/'], onPage: (page) => save(page) })
 */
export function crawl(options: CrawlOptions): Crawl {
  return new Crawl(() => orderCrawl(options), options)
}

/** Goes on with the crawl in a folder, after whatever end it had. */
export function resume(options: ResumeOptions = {}): Crawl {
  return new Crawl(() => reorderCrawl(options), options)
}
