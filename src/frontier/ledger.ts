import type { CanonicalUrl, HostKey } from '../url/keys.ts'
import type { Band, FrontierCounts, Sums } from './frontier.ts'

export type UrlState = 'queued' | 'leased' | 'done' | 'excluded' | 'dead'

/** What the frontier remembers of one URL. */
export interface UrlEntry {
  readonly url: CanonicalUrl
  readonly host: HostKey
  readonly state: UrlState
  readonly band: Band
  readonly depth: number
  readonly parent: CanonicalUrl | null
  readonly discoveredAt: number
  readonly redirects: number
  readonly attempts: number
  /** Not before this moment, when queued. */
  readonly dueAt: number | null
  /** Why it was excluded, given up or put off. */
  readonly reason: string | null
}

export interface HostEntry {
  readonly host: HostKey
  readonly counts: FrontierCounts
  readonly gapMs: number
  readonly nextTouchAt: number
  /** What the host waits for beyond its pace. */
  readonly hold: string | null
  /** New pages of this host are nearly all near-duplicates: it is served last. */
  readonly sunk: boolean
}

export interface DeadFilter {
  readonly reason?: string
  readonly host?: HostKey
  /** Shell-like pattern over the URL: `*` stands for anything. */
  readonly pattern?: string
  /** Only these. */
  readonly urls?: readonly CanonicalUrl[]
}

export type HostSort = 'urls' | 'queued' | 'done' | 'dead' | 'excluded' | 'name' | 'gap' | 'next'

export interface HostQuery {
  /** Only hosts whose key contains this; empty: all. */
  readonly search: string
  readonly sort: HostSort
  readonly order: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

export interface HostsFound {
  /** All that fit, not only those answered. */
  readonly total: number
  /** As each of them is now. */
  readonly hosts: readonly HostEntry[]
  /** How old the order and the total are: of very many hosts they are not found anew for each question. */
  readonly ageMs: number
}

/** Changes dead letters. */
export interface DeadLetters {
  /** Queues dead letters again with fresh attempts; answers how many. */
  retryDead(filter: DeadFilter): Promise<number>
  /** Excludes dead letters for good (`dropped`); answers how many. */
  dropDead(filter: DeadFilter): Promise<number>
}

/** Reads what a frontier remembers, also while a crawl runs; and handles its dead letters, while none does. */
export interface Ledger extends DeadLetters, AsyncDisposable {
  lookup(url: CanonicalUrl): Promise<UrlEntry | undefined>
  counts(): Promise<FrontierCounts>
  /** What settled visits have added: see `Frontier.sums`. */
  sums(): Promise<Sums>
  /** Hosts with the most URLs first. */
  hosts(limit: number): Promise<readonly HostEntry[]>
  /** One host; `undefined`: the crawl does not know it. */
  host(host: HostKey): Promise<HostEntry | undefined>
  /** Some hosts of many, in the order asked for; equal ones by name. */
  findHosts(query: HostQuery): Promise<HostsFound>
  urls(state: UrlState, limit?: number): AsyncIterable<UrlEntry>
  dead(filter: DeadFilter, limit?: number): AsyncIterable<UrlEntry>
}
