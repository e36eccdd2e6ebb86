import type { Pace } from '../politeness/pace.ts'
import type { CanonicalUrl, HostKey } from '../url/keys.ts'

export type Band = 'high' | 'medium' | 'low'

/** A URL offered to the frontier. */
export interface Candidate {
  readonly url: CanonicalUrl
  readonly host: HostKey
  readonly band: Band
  /** Links away from a seed. */
  readonly depth: number
  readonly parent: CanonicalUrl | null
  /** Redirects followed since the last link or seed. */
  readonly redirects: number
  /** A rule's name: the URL is remembered as excluded for this reason and never handed out. */
  readonly refusal?: string
}

/**
 * What became of a candidate. `over-budget`: its host has as many URLs as it may, or as many of one shape; remembered as
 * excluded. `carried`: safe and on its way to where it will be decided; the crawl does not end before that.
 */
export type Admission = 'admitted' | 'known' | 'excluded' | 'over-budget' | 'carried'

/** So many redirects in a row every frontier can tell apart; limits above it would never be reached. */
export const mostRedirects = 19

/** What became of a wish to visit a URL again. `waiting`: it waits or is leased already. `refused`: excluded or unknown. */
export type Readmission = 'queued' | 'waiting' | 'refused'

/** A URL to be visited, as it is handed to a worker. */
export interface CrawlRequest {
  readonly url: CanonicalUrl
  readonly priority: Band
  readonly depth: number
  readonly parent: CanonicalUrl | null
  readonly discoveredAt: number
  readonly redirects: number
  /** Attempts that failed before this one. */
  readonly attempts: number
  /** It was visited before, and is visited again to see what has become of it. */
  readonly isRevisit?: boolean
}

/** The right to touch one host, alone, until `expiresAt`. */
export interface HostLease {
  readonly host: HostKey
  /** Rises with every lease of the host, also across restarts: a holder that slept past its lease is refused by number. */
  readonly generation: number
  /** Frontier's clock; the holder counts from before it asked. */
  readonly expiresAt: number
  /** The host may be touched this long after the answer arrived, not sooner. */
  readonly waitMs: number
  /** For so long the host might have been touched and was not: what it earned of its burst. */
  readonly quietMs: number
  /** How hard the host may be touched, as the last holder left it. */
  readonly pace: Pace
  readonly requests: readonly CrawlRequest[]
}

export interface LeaseAnswer {
  readonly leases: readonly HostLease[]
  /** When nothing was due: how long until something may be. `null`: nothing is waiting for time to pass. */
  readonly nextDueMs: number | null
  /** When it is best to ask again, where that is not the same: others may be about to come for what is due. */
  readonly askInMs?: number | null
}

/** What visits add up to, by the name of the counter: `pages`, `bytes`, `errors.timeout`… */
export type Sums = Readonly<Record<string, number>>

/** How a visit ended, for the frontier. */
export type Settled = {
  readonly url: CanonicalUrl
  /** Added to the crawl's sums when this settlement takes effect, and only then: so they count every visit once. */
  readonly adds?: Sums
} /** `nearDuplicate`: whether the page is a copy; left out for what is no page. */ & (
  | { readonly kind: 'done'; readonly nearDuplicate?: boolean }
  | { readonly kind: 'retry'; readonly afterMs: number; readonly reason: string }
  | { readonly kind: 'excluded'; readonly reason: string }
  | { readonly kind: 'dead'; readonly reason: string }
)

/** A host must be left alone for this long, and why (`retry-after`, `circuit-open`, `robots-unavailable`…). */
export interface Hold {
  readonly ms: number
  readonly reason: string
}

/** What the holder of a lease learned about its host. */
export interface HostReport {
  /** How long ago the host was last touched under this lease; `null` if it was not. */
  readonly touchedMsAgo: number | null
  readonly pace: Pace
  readonly hold?: Hold
}

export interface FrontierCounts {
  readonly admitted: number
  readonly queued: number
  readonly leased: number
  readonly done: number
  readonly excluded: number
  readonly dead: number
}

/**
 * The URLs a crawl knows, and which of them may be visited now. A URL is in exactly one state: queued, leased, done,
 * excluded or dead; `admitted` is their sum, always. Whatever was answered before `sync` resolves survives a crash of
 * whoever asked; what came after may be forgotten as a whole, together with the pages and links that came with it.
 */
export interface Frontier extends AsyncDisposable {
  /**
   * Answers one admission for each candidate, in order. Atomic for each URL, and idempotent: offered twice, it is `known`
   * the second time. After a crash in the middle any prefix may be admitted; offering the batch again is safe.
   */
  offer(candidates: readonly Candidate[]): Promise<readonly Admission[]>
  /**
   * Leases up to `maxHosts` hosts that may be touched now, each with up to `maxUrls` of its URLs, bands served by their
   * weights. Atomic: no host is held twice. A lease neither released nor renewed before it expires returns to the frontier
   * by itself, and its host may then be touched a gap later, since its holder may have touched it a moment ago.
   * No leases: nothing is due, not "finished".
   */
  lease(maxHosts: number, maxUrls: number): Promise<LeaseAnswer>
  /**
   * Prolongs a lease and adds up to `maxUrls` further URLs of its host. `lease-lost` if it has expired or passed to
   * another holder: then nothing is touched any more.
   */
  renew(lease: HostLease, maxUrls: number): Promise<HostLease | 'lease-lost'>
  /**
   * Whether this process has brought URLs to a held host since it was last asked for some: only then asking again is
   * likely to give any. Others may have brought some, too. Left out: asking costs nothing.
   */
  hasNews?(lease: HostLease): boolean
  /**
   * Ends visits of a lease. The links of a page are offered before its visit is settled. A second settle of the same
   * URL changes nothing. A hold counts from now on, also after a crash; one that a server asked for is made safe at
   * once. `lease-lost`, changing nothing, if the lease is not the host's current one.
   */
  settle(lease: HostLease, visits: readonly Settled[], hold?: Hold): Promise<'settled' | 'lease-lost'>
  /**
   * Ends a lease: URLs not settled are queued as they were, the host may be touched again when its pace and the hold
   * allow. `nextTouchAt` never moves back. A second release changes nothing. It counts what was settled before, also
   * where that was not answered yet: so both can go in one trip.
   *
   * `orGoOnWith`: unless the host has nothing more to visit or others wait for it, the lease is renewed in place of that,
   * and answered with up to so many further URLs.
   */
  release(lease: HostLease, report: HostReport, orGoOnWith?: number): Promise<'released' | 'lease-lost' | HostLease>
  /**
   * Turns every queued URL whose host is held, or whose retry is put off, beyond `patienceMs` into a dead letter with
   * that reason. Hosts that only wait for their pace are not touched. Answers how many.
   */
  abandon(patienceMs: number): Promise<number>
  /**
   * Makes URLs that are done or dead letters wait again, with fresh attempts, to be visited once more; answers one
   * readmission for each, in order. Atomic for each URL, and idempotent: one that waits or is leased stays as it is. It is
   * no new URL: `admitted` stays, and depth, parent and band are those it was admitted with, which the candidate repeats
   * for engines that forget them. For URLs of which a visit has brought an answer: an engine that does not keep who is
   * done may not recognise one that has yet to be visited at all.
   */
  revisit(candidates: readonly Candidate[]): Promise<readonly Readmission[]>
  /** How many URLs wait or are leased to be visited again. */
  revisiting(): Promise<number>
  counts(): Promise<FrontierCounts>
  /** What the settled visits of the whole crawl have added, over all its workers and runs. */
  sums(): Promise<Sums>
  /** Adds what belongs to no settlement. Repeated after a lost answer, it may count twice. */
  add(adds: Sums): Promise<void>
  /**
   * How many URLs are leased or on their way, by anybody, at least; 0: none. While there are some, more may come at any
   * moment.
   */
  underWay(): Promise<number>
  /** Nothing is queued, leased or on its way, and nothing can come of it any more. */
  finished(): Promise<boolean>
  /**
   * Resolves when all that was answered before is as safe as the engine makes it: from a crash of this process always. On
   * one machine it is committed, and with `store.powerSafe` on the disk. A fleet's engine has it in memory and in its
   * append-only file: a crash of the engine's process loses nothing that its disk keeps up with, a power cut or a
   * fail-over may take back a second of it, which is healed (docs/redis.md).
   */
  sync(): Promise<void>
}
