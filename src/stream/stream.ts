import type { Exchange } from '../fetch/outcome.ts'
import type { CrawlRequest } from '../frontier/frontier.ts'
import type { WarcPlace } from '../store/url-record.ts'
import type { HostKey } from '../url/keys.ts'

/** A page that was fetched and archived, on its way to whoever parses it. The bytes stay in the archive. */
export interface FetchedPage {
  readonly crawl: string
  /** The politeness key that it was fetched under. */
  readonly host: HostKey
  readonly request: CrawlRequest
  readonly exchange: Omit<Exchange, 'body' | 'rawBody'>
  /** SHA-256 of the body as received, hexadecimal. */
  readonly payloadHash: string
  readonly place: WarcPlace
  /** Of the body as received. */
  readonly bodyBytes: number
  /** Where a redirect leads, as the server wrote it; `null`: it is none. */
  readonly location: string | null
  /** It is a wall: its host was slowed down, and that is counted. */
  readonly isBlocked: boolean
}

export interface StreamLag {
  /** Put and not yet acknowledged. */
  readonly waiting: number
  /** All that was ever put: the same before and after means that nothing was put meanwhile. */
  readonly put: number
}

export interface TakeOptions {
  /** Pages under way at the same time; no more are held in memory than some times this. */
  readonly atOnce: number
  /** Set: take no more, let what is under way end. */
  readonly signal: AbortSignal
}

/**
 * Hands the fetched pages of a crawl to parsers that scale on their own. Each page goes to one of those who take, at least
 * once: one that dies, or fails, before it has acknowledged a page leaves it to another, who may be the second to see it.
 */
export interface Stream extends AsyncDisposable {
  /** Resolves when there is room for more; the page is safe after `flush`. */
  put(page: FetchedPage): Promise<void>
  /** Resolves when all that was put before is safe. Rejects when that cannot be. */
  flush(): Promise<void>
  /**
   * Hands over pages until the signal is set; those of one host in the order in which they were put. A page is
   * acknowledged when `handle` resolves. When it rejects, nothing more is begun, what is under way ends, and `take`
   * rejects with the same error: the page comes again, to whoever takes next.
   */
  take(handle: (page: FetchedPage) => Promise<void>, options: TakeOptions): Promise<void>
  /** Nothing waits only when all that was put before the question has been acknowledged. */
  lag(): Promise<StreamLag>
}
