import type { CanonicalUrl } from '../url/keys.ts'
import type { FreshRecord, NextVisit, UrlRecord, VisitEntry } from './url-record.ts'

/** A URL that is to be visited again, with what the frontier must know of it. */
export interface DueVisit extends Pick<UrlRecord, 'url' | 'depth' | 'parent'>, Pick<NextVisit, 'band'> {
  readonly dueAt: number
}

/** What a crawl that visits pages again has before it. */
export interface Outlook {
  /** URLs that have a next visit. */
  readonly planned: number
  /** Those of them that are due. */
  readonly overdue: number
  /** When the first of them is due; `null`: there is none. */
  readonly nextAt: number | null
}

/** A history has an end: of more visits than this the latest are kept. */
export const maxVisits = 400

/** One record for each visited URL, with the history of its visits. */
export interface RecordStore extends AsyncDisposable {
  /**
   * Adds a visit and, when it brought an answer, replaces the record. Idempotent by URL and moment of the visit: repeated
   * after a crash it changes nothing. `record` is absent for a failed attempt: an earlier record stays.
   */
  put(url: CanonicalUrl, visit: VisitEntry, record?: FreshRecord): Promise<void>
  /** `undefined`: no visit has brought an answer. */
  get(url: CanonicalUrl): Promise<UrlRecord | undefined>
  /** Oldest first, the latest `maxVisits`; empty: never visited. */
  visits(url: CanonicalUrl): Promise<readonly VisitEntry[]>
  /** Every record in the order of first storing, in bounded memory; those stored while it runs may be missing. */
  scan(): AsyncIterable<UrlRecord>
  /**
   * The first stored page with this content hash; other answers, such as error pages, do not count.
   * `storing`: this content is about to be stored under that URL, unless another has it. Of several workers that say so
   * at the same moment, all but one are answered that one's URL; a worker itself asks for one page after the other.
   */
  findByContent(contentHash: string, storing?: CanonicalUrl): Promise<CanonicalUrl | undefined>
  /** Visits that are due at `by` or before, the longest due first. */
  due(by: number, limit: number): Promise<readonly DueVisit[]>
  /**
   * Puts visits off that `due` answered, until another moment or (`null`) for ever. Of each it holds only while the visit
   * is planned as it was answered: what a visit has planned since stays. Repeated, it changes nothing.
   */
  putOff(visits: readonly DueVisit[], until: number | null): Promise<void>
  /** Counts may be some seconds old. */
  outlook(now: number): Promise<Outlook>
}
