import type { CrawlRequest, Settled } from '../frontier/frontier.ts'
import type { Page } from '../parse/page.ts'
import type { HostEvent } from '../politeness/pace.ts'
import type { UrlRecord } from '../store/url-record.ts'

/** What a visit tells its host's session while it goes on. */
export interface Touch {
  /** From then on the request must not go out any more: the host may be somebody else's. */
  readonly sendBefore: number
  /** The request has gone out. */
  sent(): void
  /** The host has done its part; storing may still take a while. `null`: it says nothing about how the host bears us. */
  ended(event: HostEvent | null): void
}

/** Makes visits. */
export interface Visits {
  /** `undefined`: cancelled before an answer came; nothing was kept. */
  visit(request: CrawlRequest, touch: Touch): Promise<Visited | undefined>
}

/** A visit that has ended: what the frontier is told. */
export interface Visited {
  readonly settled: Settled
  /** To be called when it is settled or lost: what it brought is no longer held in memory. */
  release(): void
}

/** A page as a caller of the library sees it. */
export interface CrawledPage extends UrlRecord {
  readonly request: CrawlRequest
  /** The body, decoded from its content encoding. */
  readonly body: Buffer
  readonly parsed: Page
}
