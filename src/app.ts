import { aboutUs } from './about-us.ts'
import type { Config } from './config/schema.ts'
import type { CrawlFolder } from './embedded/crawl-folder.ts'
import { openEmbedded } from './embedded/open-embedded.ts'
import { firstFault } from './embedded/storage-error.ts'
import type { BandCounts } from './frontier/bands.ts'
import type { DeadLetters } from './frontier/ledger.ts'
import type { HostDecisions } from './politeness/host-decisions.ts'
import { startReader } from './reading/start-reader.ts'
import { type CrawlAmendment, type RunningCrawl, runningCrawl } from './running-crawl.ts'
import { canonicalRules } from './url/canonical.ts'
import { canonicalSeeds } from './worker/seeds.ts'
import type { CrawledPage } from './worker/visit.ts'

type Steering = 'run' | 'drain' | 'abort' | 'progress' | 'pause' | 'resume' | 'isPaused' | 'offer' | 'openHosts'

/** A crawl in a folder. */
export interface FolderCrawl extends Pick<RunningCrawl, Steering>, DeadLetters, AsyncDisposable {
  /** Pages whose archived bytes were found damaged when the folder was opened: they are visited again. */
  readonly repairedPages: number
  change(changes: CrawlAmendment & { readonly maxPages?: number | undefined }): void
  /** URLs that are queued or leased, by band. */
  openByBand(): BandCounts
}

/** Opens a crawl on engines inside the process. */
export async function openCrawl(
  folder: CrawlFolder,
  config: Config,
  onPage?: (page: CrawledPage) => unknown,
  decisions?: HostDecisions,
): Promise<FolderCrawl> {
  const seeds = canonicalSeeds(folder.orders.seeds, canonicalRules(config.url))
  await using stack = new AsyncDisposableStack()
  const reader = stack.use(startReader(config.worker.threads))
  const ports = stack.use(await openEmbedded(folder, config, aboutUs(config), decisions))
  const crawl = await runningCrawl({ ports, config, seeds, reader, onPage, isShared: false })
  const { frontier, limit } = ports
  const opened = stack.move()
  return {
    async run() {
      await crawl.seed()
      return crawl.run()
    },
    drain: () => crawl.drain(),
    abort: () => crawl.abort(),
    progress: () => crawl.progress(),
    pause: () => crawl.pause(),
    resume: () => crawl.resume(),
    get isPaused() {
      return crawl.isPaused
    },
    get openHosts() {
      return crawl.openHosts
    },
    offer: (candidates) => crawl.offer(candidates),
    change({ maxPages, ...changes }) {
      if (maxPages !== undefined) limit.change(maxPages)
      crawl.change(changes)
    },
    async retryDead(filter) {
      const retried = await frontier.deadLetters.retryDead(filter)
      crawl.wake()
      return retried
    },
    dropDead: (filter) => frontier.deadLetters.dropDead(filter),
    openByBand: () => frontier.openByBand(),
    repairedPages: ports.repaired.filter(({ kind }) => kind === 'page').length,
    async [Symbol.asyncDispose]() {
      try {
        await opened.disposeAsync()
      } catch (error) {
        // Whoever ran the crawl knows already why it failed; what cannot be closed because of that is no news.
        if (!crawl.hasFailed) throw firstFault(error)
      }
    },
  }
}
