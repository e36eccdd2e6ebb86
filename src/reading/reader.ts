import type { Validators } from '../fetch/conditional.ts'
import type { Fetcher, Sending } from '../fetch/fetcher.ts'
import type { CrawlRequest } from '../frontier/frontier.ts'
import type { Reading } from './reading.ts'

export interface ReadRequest extends CrawlRequest, Pick<Sending, 'sendBefore'> {
  /** The page is wanted only if it has changed; if not, the answer is a 304. */
  readonly validators?: Validators
}

/**
 * Brings pages and reads them: all work on a page that needs nothing but the page. Where that happens, in this thread or
 * in others, is the adapter's business. Never rejects for what the web does.
 */
export interface Reader extends AsyncDisposable {
  /** `onSent` is called when the request has gone out. A crawl that is aborted gets `cancelled` for what is under way. */
  read(request: ReadRequest, onSent: () => void): Promise<Reading>
  /** A plain request over the same connections, such as for robots.txt. */
  readonly fetch: Fetcher['fetch']
  /** Links to this host (with its port when that is not the default) belong to the crawl from now on. */
  widen(host: string): void
}
