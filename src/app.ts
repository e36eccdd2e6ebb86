import { aboutUs } from './about-us.ts'
import type { Config } from './config/schema.ts'
import type { CrawlFolder } from './embedded/crawl-folder.ts'
import { openEmbedded } from './embedded/open-embedded.ts'
import { firstFault } from './embedded/storage-error.ts'
import { startReader } from './reading/start-reader.ts'
import { type RunningCrawl, runningCrawl } from './running-crawl.ts'
import { canonicalRules } from './url/canonical.ts'
import { canonicalSeeds } from './worker/seeds.ts'
import type { CrawledPage } from './worker/visit.ts'

/** A crawl in a folder. */
export interface FolderCrawl extends Pick<RunningCrawl, 'run' | 'drain' | 'abort' | 'progress'>, AsyncDisposable {
  /** Pages whose archived bytes were found damaged when the folder was opened: they are visited again. */
  readonly repairedPages: number
}

/** Opens a crawl on engines inside the process. */
export async function openCrawl(
  folder: CrawlFolder,
  config: Config,
  onPage?: (page: CrawledPage) => unknown,
): Promise<FolderCrawl> {
  const seeds = canonicalSeeds(folder.orders.seeds, canonicalRules(config.url))
  await using stack = new AsyncDisposableStack()
  const reader = stack.use(startReader(config.worker.threads))
  const ports = stack.use(await openEmbedded(folder, config, aboutUs(config)))
  const crawl = await runningCrawl({ ports, config, seeds, reader, onPage, isShared: false })
  const opened = stack.move()
  return {
    async run() {
      await crawl.seed()
      return crawl.run()
    },
    drain: () => crawl.drain(),
    abort: () => crawl.abort(),
    progress: () => crawl.progress(),
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
