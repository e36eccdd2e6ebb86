import type { FetchOptions } from '../../fetch/fetcher.ts'
import type { FetchOutcome } from '../../fetch/outcome.ts'
import type { CanonicalUrl } from '../../url/keys.ts'
import type { ReadingOrders } from '../open-page-reader.ts'
import type { ReadRequest } from '../reader.ts'
import type { Answer, FetchFailed } from '../reading.ts'

/** What the thread that stores says to one that reads. */
export type Order =
  | { readonly kind: 'open'; readonly orders: ReadingOrders; readonly clockAheadMs: number }
  | { readonly kind: 'read'; readonly id: number; readonly request: ReadRequest }
  | { readonly kind: 'fetch'; readonly id: number; readonly url: CanonicalUrl; readonly options: PlainOptions }
  | { readonly kind: 'widen'; readonly host: string }
  | { readonly kind: 'release'; readonly heldBytes: number }
  | { readonly kind: 'abort' }
  | { readonly kind: 'close' }

/** What comes back. */
export type Report =
  /** It cannot be opened with these orders. */
  | { readonly kind: 'unfit'; readonly message: string; readonly isUsage: boolean }
  | { readonly kind: 'sent'; readonly id: number }
  | { readonly kind: 'read'; readonly id: number; readonly reading: FetchFailed | Answer }
  | { readonly kind: 'fetched'; readonly id: number; readonly outcome: FetchOutcome }

export type PlainOptions = Pick<FetchOptions, 'headers' | 'cutAtBytes' | 'sendBefore'>
