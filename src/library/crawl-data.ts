import { loadConfig, type Tree } from '../config/load.ts'
import { openCrawlFolder } from '../embedded/crawl-folder.ts'
import { openReader } from '../embedded/open-reader.ts'
import type { Ledger } from '../frontier/ledger.ts'
import type { SearchHit } from '../index/search-index.ts'
import type { Archive } from '../store/archive.ts'
import type { RecordStore } from '../store/record-store.ts'
import { canonicalRules } from '../url/canonical.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { canonicalSeeds } from '../worker/seeds.ts'
import { defaultOut } from './options.ts'

/** What a crawl has brought, for reading; also while it runs. */
export interface CrawlData extends AsyncDisposable {
  readonly seeds: readonly string[]
  /** One record for each visited URL, with its visits. */
  readonly records: Pick<RecordStore, 'get' | 'visits' | 'scan' | 'findByContent'>
  /** The stored responses, by the `warc` of a record. */
  readonly archive: Pick<Archive, 'read'>
  /** Every URL the crawl knows, and what became of it. */
  readonly ledger: Pick<Ledger, 'lookup' | 'counts' | 'hosts' | 'urls' | 'dead'>
  /** Best first. Words, "phrases", -without, prefix*, and the filters site:, lang:, after:, before:, title:. */
  search(query: string, limit?: number, offset?: number): Promise<readonly SearchHit[]>
  /** A URL as this crawl writes it, which is how records and ledger know it; a UsageError if it is none. */
  canonicalUrl(url: string): CanonicalUrl
}

export async function openCrawlData(out: string = defaultOut): Promise<CrawlData> {
  const folder = openCrawlFolder(out)
  const { config } = loadConfig({ base: folder.orders.config as Tree })
  const rules = canonicalRules(config.url)
  const reader = await openReader(folder)
  const { records, archive, ledger, index } = reader
  return {
    seeds: folder.orders.seeds,
    records,
    archive,
    ledger,
    search: (query, limit = 10, offset = 0) => index.search(query, limit, offset),
    canonicalUrl: (url) => canonicalSeeds([url], rules)[0]!,
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  }
}
