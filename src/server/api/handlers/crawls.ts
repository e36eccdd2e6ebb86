import type { Clock } from '../../../clock.ts'
import { configOfOrders, type Tree } from '../../../config/load.ts'
import { outlookOf } from '../../../schedule/outlook.ts'
import { tallyOf } from '../../../worker/tally.ts'
import { withoutSecrets } from '../../secrets.ts'
import type { Desk, Handlers } from '../handler.ts'
import type { Crawl } from '../schemas/crawl.ts'
import { judgeLinks } from './scope-preview.ts'

type Names =
  | 'listCrawls'
  | 'createCrawl'
  | 'getCrawl'
  | 'changeCrawl'
  | 'deleteCrawl'
  | 'pauseCrawl'
  | 'resumeCrawl'
  | 'stopCrawl'
  | 'reindexCrawl'
  | 'previewScope'

const shownSeeds = 100
const refusalMs = 500
const signMs = 5000

export const crawlHandlers: Handlers<Names> = {
  listCrawls: async ({ operations }, { query }) => ({ crawls: [...(await operations.crawls.list(query.limit))] }),
  createCrawl: async (desk, { body }) => crawlOf(desk, await desk.operations.crawls.create(body)),
  getCrawl: (desk, { params }) => crawlOf(desk, params.crawl),
  async changeCrawl(desk, { params, body }) {
    await desk.operations.crawls.change(params.crawl, body)
    return crawlOf(desk, params.crawl)
  },
  async deleteCrawl({ operations }, { params }) {
    await operations.crawls.remove(params.crawl)
    return undefined
  },
  async pauseCrawl(desk, { params }) {
    await desk.operations.crawls.pause(params.crawl)
    return crawlOf(desk, params.crawl)
  },
  async resumeCrawl(desk, { params }) {
    await desk.operations.crawls.resume(params.crawl)
    return crawlOf(desk, params.crawl)
  },
  async stopCrawl(desk, { params }) {
    await desk.operations.crawls.stop(params.crawl)
    return crawlOf(desk, params.crawl)
  },
  async reindexCrawl({ operations, clock }, { params: { crawl } }) {
    const pages = operations.crawls.reindex(crawl)
    // Whoever asked may have left when it fails.
    pages.catch(() => {})
    // What is refused is refused at once, while it can still be told as a problem.
    await Promise.race([pages, clock.sleep(refusalMs)])
    return signsUntil(pages, clock)
  },
  previewScope: ({ clock, config }, { body }) => judgeLinks(body, clock, config.dns),
}

/** A line now and then, so that nobody in between takes the connection for dead. */
async function* signsUntil(pages: Promise<number>, clock: Clock) {
  for (;;) {
    const done = await Promise.race([pages, clock.sleep(signMs)])
    yield { done: done !== undefined, pages: done ?? null }
    if (done !== undefined) return
  }
}

async function crawlOf({ operations, watch, clock }: Desk, id: string): Promise<Crawl> {
  const summary = await operations.crawls.get(id)
  const { orders, ledger, records } = await operations.crawls.read(id)
  const config = configOfOrders(orders)
  const { maxPages, maxDurationMs } = config.limits
  const pulse = watch.latest.crawls.find((crawl) => crawl.id === id)
  return {
    ...summary,
    seeds: orders.seeds.slice(0, shownSeeds),
    settings: withoutSecrets(orders.config as Tree),
    limits: { maxPages, maxDurationMs },
    delayMs: config.politeness.delayMs,
    counts: await ledger.counts(),
    tally: tallyOf(await ledger.sums()),
    outlook: await outlookOf(records, config.recrawl, clock.now()),
    openHosts: pulse?.openHosts ?? 0,
    pagesPerSecond: pulse?.pagesPerSecond ?? null,
    timeLeftMs: pulse?.timeLeftMs ?? null,
  }
}
