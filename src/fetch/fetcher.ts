import type { CanonicalUrl } from '../url/keys.ts'
import type { FetchOutcome, Header } from './outcome.ts'

export interface FetchOptions {
  readonly signal?: AbortSignal
  readonly headers?: readonly Header[]
  /** Caps the decoded body below the configured limit; what is over it is cut (`truncated: 'bytes'`), not an error. */
  readonly cutAtBytes?: number
  /**
   * The body is read at once and then given back (`giveBackBuffer`): it may lie in memory of which there is little. Left
   * out: it may be kept.
   */
  readonly givesBodyBack?: boolean
  /** Called when the request goes out on its connection, which may be long after `fetch` was called. */
  readonly onSent?: () => void
  /**
   * By the fetcher's clock: from then on it must not go out any more, and is `cancelled`. Looked at right before it does,
   * since a connection takes time, and a machine may stand still for any time. Left out: it may go out whenever it can.
   */
  readonly sendBefore?: number
}

/** What goes with a request whose moment matters to somebody. */
export type Sending = Pick<FetchOptions, 'onSent' | 'sendBefore'>

/**
 * Brings one URL, once: no retries, no redirects followed, no robots. Never throws for what the web does; every limit of
 * time and size holds for each call whatever the server does.
 */
export interface Fetcher extends AsyncDisposable {
  fetch(url: CanonicalUrl, options?: FetchOptions): Promise<FetchOutcome>
}
