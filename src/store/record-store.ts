import type { CanonicalUrl } from '../url/keys.ts'
import type { UrlRecord, VisitEntry } from './url-record.ts'

/** One record for each visited URL, with the history of its visits. */
export interface RecordStore extends AsyncDisposable {
  /**
   * Adds a visit and, when it brought an answer, replaces the record. Idempotent by URL and moment of the visit: repeated
   * after a crash it changes nothing. `record` is absent for a failed attempt: an earlier record stays.
   */
  put(url: CanonicalUrl, visit: VisitEntry, record?: UrlRecord): Promise<void>
  /** `undefined`: no visit has brought an answer. */
  get(url: CanonicalUrl): Promise<UrlRecord | undefined>
  /** Oldest first; empty: never visited. */
  visits(url: CanonicalUrl): Promise<readonly VisitEntry[]>
  /** Every record in the order of first storing, in bounded memory; those stored while it runs may be missing. */
  scan(): AsyncIterable<UrlRecord>
  /**
   * The first stored page whose decoded body has this SHA-256; other answers, such as error pages, do not count.
   * `storing`: this content is about to be stored under that URL, unless another has it. Of several workers that say so
   * at the same moment, all but one are answered that one's URL; a worker itself asks for one page after the other.
   */
  findByContent(contentHash: string, storing?: CanonicalUrl): Promise<CanonicalUrl | undefined>
}
