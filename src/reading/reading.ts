import type { FetchOutcome } from '../fetch/outcome.ts'
import type { Candidate } from '../frontier/frontier.ts'
import type { Page } from '../parse/page.ts'
import type { KeptExchange } from '../store/archive.ts'
import type { FreshRecord } from '../store/url-record.ts'
import type { Counters } from './counters.ts'

export type FetchFailed = Extract<FetchOutcome, { kind: 'failed' }>

/** What one visit brought, read as far as that is possible without asking what is stored. */
export type Reading = FetchFailed | Answered

export interface Answered extends Answer {
  /** To be called once, when the visit is settled or given up: until then its bytes count as held. */
  readonly release: () => void
}

/** The part of it that is data, and can be sent to another thread. */
export interface Answer {
  readonly kind: 'answered'
  readonly exchange: KeptExchange
  /** SHA-256 of the body as received; empty where nothing is archived. */
  readonly payloadHash: string
  /** Where a redirect leads, as the server wrote it; `null`: it is none. */
  readonly location: string | null
  /** All that the answer itself tells; what the stores know (`duplicateOf`, `nearDuplicateOf`, `warc`) is `null`. */
  readonly record: FreshRecord
  readonly candidates: readonly Candidate[]
  /** Links that are no candidates, by the rule that refused them. */
  readonly refused: Readonly<Counters>
  /** Further things to count, by name. */
  readonly counts: Readonly<Counters>
  /** What a person should know of it beside its status: `sitemap: 120 URLs`. */
  readonly note: string
  /** The host answered with a wall instead of its content; the note names it. */
  readonly isBlocked: boolean
  /** A page that says there is none, which its status does not. */
  readonly looksMissing: boolean
  /** Only of pages, and only where the crawl's caller takes pages. */
  readonly whole: WholePage | null
  readonly heldBytes: number
}

export interface WholePage {
  /** Decoded from its content encoding. */
  readonly body: Buffer
  readonly parsed: Page
}
