/** Orbweaver as a library: crawl, go on with a crawl, read what it brought. */

export type { Clock } from './clock.ts'
export type { Config, ConfigInput } from './config/schema.ts'
export { UsageError } from './config/usage-error.ts'
export type { NearDuplicates } from './dedup/near-duplicates.ts'
export type { Address, Resolution, Resolver } from './dns/resolver.ts'
export { StorageError, type StorageFault } from './embedded/storage-error.ts'
export type { Fetcher, FetchOptions } from './fetch/fetcher.ts'
export type { Exchange, FailureCode, FetchOutcome, Header } from './fetch/outcome.ts'
export type {
  Admission,
  Band,
  Candidate,
  CrawlRequest,
  Frontier,
  FrontierCounts,
  HostLease,
  HostReport,
  LeaseAnswer,
  Settled,
} from './frontier/frontier.ts'
export type { DeadFilter, HostEntry, Ledger, UrlEntry, UrlState } from './frontier/ledger.ts'
export type { SearchDocument, SearchHit, SearchIndex } from './index/search-index.ts'
export { type Crawl, crawl, resume } from './library/crawl.ts'
export { type CrawlData, openCrawlData } from './library/crawl-data.ts'
export type { CrawlOptions, ResumeOptions } from './library/options.ts'
export type { Directives, Link, LinkKind, Page, PageKind } from './parse/page.ts'
export type { Pace } from './politeness/pace.ts'
export type { RobotsEntry, RobotsStore } from './politeness/robots-store.ts'
export type { Progress } from './running-crawl.ts'
export type { Archive, ArchivedResponse, RevisitOf } from './store/archive.ts'
export type { RecordStore } from './store/record-store.ts'
export type { UrlRecord, VisitEntry, WarcPlace } from './store/url-record.ts'
export type { Summary } from './summary.ts'
export type { CanonicalUrl, HostKey, Origin } from './url/keys.ts'
export { version } from './version.ts'
export type { Tally } from './worker/tally.ts'
export type { CrawledPage } from './worker/visit.ts'
export type { EndReason } from './worker/worker.ts'
