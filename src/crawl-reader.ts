import type { Ledger } from './frontier/ledger.ts'
import type { SearchIndex } from './index/search-index.ts'
import type { RobotsStore } from './politeness/robots-store.ts'
import type { Archive } from './store/archive.ts'
import type { RecordStore } from './store/record-store.ts'
import type { WidenedHosts } from './worker/moved-seeds.ts'

/** What a crawl was started with; going on with it needs nothing else. */
export interface CrawlOrders {
  readonly seeds: readonly string[]
  /** The settings as they were given, before defaults. */
  readonly config: unknown
  readonly createdAt: string
}

/** What readers of a crawl need, whichever engines hold it. */
export interface CrawlReader extends AsyncDisposable {
  readonly orders: CrawlOrders
  /** Where crawls have names. */
  readonly crawl?: string
  readonly ledger: Ledger
  readonly records: RecordStore
  readonly index: SearchIndex
  readonly archive: Pick<Archive, 'read'>
  readonly robots: Pick<RobotsStore, 'get'>
  readonly widened: Pick<WidenedHosts, 'each'>
  /** In one word: `running`, `stopped`, `finished`… */
  state(): Promise<string>
}
