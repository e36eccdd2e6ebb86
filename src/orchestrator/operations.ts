import type { CrawlReader } from '../crawl-reader.ts'
import type { BandCounts } from '../frontier/bands.ts'
import type { Admission, Candidate, FrontierCounts } from '../frontier/frontier.ts'
import type { DeadFilter } from '../frontier/ledger.ts'
import type { HostDecisions } from '../politeness/host-decisions.ts'
import type { CrawlChanges, CrawlSummary, NewCrawl } from '../server/api/schemas/crawl.ts'
import type { Check } from '../server/api/schemas/health.ts'
import type { Outlook } from '../store/record-store.ts'
import type { Tally } from '../worker/tally.ts'

/** A crawl's counters as they stand: rates are made of two of them. */
export interface CrawlCounters {
  readonly id: string
  readonly state: CrawlSummary['state']
  readonly tally: Readonly<Tally>
  readonly counts: FrontierCounts
  /** URLs that are queued or leased, and those that are carried, by band; `null`: not known. */
  readonly bands: BandCounts | null
  /** URLs that a log carries to the frontier, which has not seen them yet; `null`: not known. */
  readonly carried: number | null
  readonly openHosts: number
  /** 0: no limit. */
  readonly maxPages: number
  /** What is to be visited again; `null`: pages are visited once, or it is not known. */
  readonly outlook: Outlook | null
}

/** A worker, with counters that rise. */
export interface WorkerCounters {
  readonly id: string
  readonly role: string
  readonly host: string
  readonly pid: number
  readonly region: string
  readonly version: string
  readonly startedAt: number
  readonly alive: boolean
  readonly silentMs: number
  readonly crawls: readonly string[]
  readonly openHosts: number
  readonly pages: number
  readonly cpuMs: number | null
  readonly rssBytes: number | null
  readonly receivedBytes: number | null
  readonly storageLagMs: number | null
  /** Its settled visits by what they brought (page, redirect, other, failed), and its errors by kind. */
  readonly outcomes?: Readonly<Record<string, number>>
  readonly errors?: Readonly<Record<string, number>>
}

/** Everything that is counted, at one moment. */
export interface Counters {
  /** Those that are running, paused or stopping. */
  readonly crawls: readonly CrawlCounters[]
  readonly workers: readonly WorkerCounters[]
}

/**
 * The crawls that an operator looks after. What cannot be done is a `Refusal`: `not-found` for a crawl that is not there,
 * `conflict` for what its state does not allow. A second call that asks for what is so already changes nothing.
 */
export interface CrawlDesk {
  /** The newest first. */
  list(limit: number): Promise<readonly CrawlSummary[]>
  get(id: string): Promise<CrawlSummary>
  /** Starts a crawl and answers its name. A name that is taken is a conflict, orders that are not sound are invalid. */
  create(crawl: NewCrawl): Promise<string>
  /** Begins no further visit; those under way end. */
  pause(id: string): Promise<void>
  /** Goes on with one that is paused, stopping or has ended. */
  resume(id: string): Promise<void>
  /** Ends it in order: first it is `stopping`, then `stopped`. */
  stop(id: string): Promise<void>
  /** Other limits and rates from now on, in force within seconds, also when it is resumed later. */
  change(id: string, changes: CrawlChanges): Promise<void>
  /** Forgets one that has ended, with all it brought. */
  remove(id: string): Promise<void>
  /** What it was ordered, knows and has brought, for reading. Stays open: it belongs to the desk. */
  read(id: string): Promise<CrawlReader>
  /** Admits URLs, safely: see `Frontier.offer`. */
  offer(id: string, candidates: readonly Candidate[]): Promise<readonly Admission[]>
  retryDead(id: string, filter: DeadFilter): Promise<number>
  dropDead(id: string, filter: DeadFilter): Promise<number>
  /**
   * Builds the search index anew from the records, beside the crawl; answers how many pages it holds. A conflict where index
   * and records are one, so that there is nothing to build. Safe to repeat after an interruption.
   */
  reindex(id: string): Promise<number>
}

/** Everything an operator can see and do, over crawls in folders of this machine or those of a fleet. */
export interface Operations extends AsyncDisposable {
  readonly kind: 'folder' | 'fleet'
  readonly crawls: CrawlDesk
  /** What is decided for hosts counts for all crawls. */
  readonly hosts: HostDecisions
  /** Asked once a second. */
  counters(): Promise<Counters>
  /** Whether everything that is needed answers. Never rejects. */
  checks(): Promise<readonly Check[]>
}
