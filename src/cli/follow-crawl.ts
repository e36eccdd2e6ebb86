import type { Progress } from '../running-crawl.ts'
import type { CrawlState } from '../server/api/schemas/crawl.ts'
import { type Summary, summarizer } from '../summary.ts'
import type { EndReason } from '../worker/worker.ts'
import { CrawlFailed } from './crawl-failed.ts'
import { type RunOptions, type RunResult, viewFor } from './run-crawl.ts'

/** How a crawl that others work on stands. */
export interface Standing {
  readonly state: CrawlState
  /** Why it is in this state. */
  readonly detail: string
  readonly progress: Progress
  readonly maxPages: number
}

/** Shows how a crawl goes that others work on, until it ends. Ctrl-C only stops looking. */
export async function followCrawl(look: () => Promise<Standing>, options: RunOptions): Promise<RunResult | null> {
  const { terminal, json } = options
  const summarize = summarizer()
  const first = (await look()).progress.tally.pages
  const view = viewFor(terminal, json, { at: Date.now(), pages: first })
  const { promise: left, resolve: leave } = Promise.withResolvers<null>()
  const goAway = () => leave(null)
  process.on('SIGINT', goAway)
  process.on('SIGTERM', goAway)
  try {
    // Who only looks need not wait for an engine that is away.
    return await Promise.race([left, watchToItsEnd()])
  } finally {
    view.end()
    process.off('SIGINT', goAway)
    process.off('SIGTERM', goAway)
  }

  async function watchToItsEnd(): Promise<RunResult> {
    for (;;) {
      const { state, detail, progress, maxPages } = await look()
      view.show(progress)
      if (state === 'failed') throw new CrawlFailed(`The crawl has failed: ${detail}`)
      const reason = endReasons[state]
      if (reason) {
        const summary: Summary = summarize(progress, detail === '' ? reason : 'limit')
        return { summary, newPages: summary.pages - first, maxPages }
      }
      await new Promise((resolve) => setTimeout(resolve, json || !terminal.isInteractive ? 1000 : 500))
    }
  }
}

const endReasons: Partial<Readonly<Record<CrawlState, EndReason>>> = {
  finished: 'finished',
  stopped: 'stopped',
}
