import { contentHash, payloadHash } from '../dedup/content-hash.ts'
import { simhash } from '../dedup/simhash.ts'
import { giveBackBuffer } from '../fetch/body-buffers.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { type Exchange, type FetchOutcome, header } from '../fetch/outcome.ts'
import type { CrawlRequest } from '../frontier/frontier.ts'
import type { ParseConfig } from '../parse/config.ts'
import type { Page } from '../parse/page.ts'
import { parsePage } from '../parse/parse-page.ts'
import type { UrlRecord } from '../store/url-record.ts'
import type { Scope } from '../url/scope.ts'
import type { Candidates, FoundLinks } from './candidates.ts'
import type { Counters } from './counters.ts'
import type { Reader } from './reader.ts'
import type { Answered, Reading } from './reading.ts'

export interface PageReaderParts {
  readonly fetcher: Fetcher
  readonly resolver: AsyncDisposable
  readonly candidates: Candidates
  readonly scope: Scope
  readonly parse: ParseConfig
  readonly withText: boolean
  /** Whether pages are handed on whole, with their body. */
  readonly wholePages: boolean
  /** Set: what is under way is given up. */
  readonly aborting: AbortSignal
}

type Fetched = Extract<FetchOutcome, { exchange: Exchange }>

const noLinks: FoundLinks = { urls: [], candidates: [] }

/** Reads in the thread that calls it. */
export class PageReader implements Reader {
  readonly #parts: PageReaderParts
  readonly fetch: Fetcher['fetch']

  constructor(parts: PageReaderParts) {
    this.#parts = parts
    this.fetch = (url, options) => parts.fetcher.fetch(url, { signal: parts.aborting, ...options })
  }

  async read(request: CrawlRequest, onSent: () => void): Promise<Reading> {
    const outcome = await this.fetch(request.url, { onSent })
    return outcome.kind === 'failed' ? outcome : this.#answered(request, outcome)
  }

  widen(host: string): void {
    this.#parts.scope.widen(host)
  }

  async [Symbol.asyncDispose]() {
    await this.#parts.fetcher[Symbol.asyncDispose]()
    await this.#parts.resolver[Symbol.asyncDispose]()
  }

  #answered(request: CrawlRequest, outcome: Fetched): Answered {
    const { candidates, wholePages } = this.#parts
    const { body, ...exchange } = outcome.exchange
    const page = this.#parse(outcome.exchange)
    const refused: Counters = {}
    const found = page && !page.robots.nofollow ? candidates.fromLinks(request, page.links, refused) : noLinks
    const record = recordOf(request, outcome, page, found)
    const whole = page && wholePages ? { body, parsed: page } : null
    if (!whole) giveBackBuffer(body)
    return {
      kind: 'answered',
      exchange,
      payloadHash: payloadHash(outcome.exchange, record.contentHash),
      location: outcome.kind === 'redirected' ? outcome.location : null,
      record,
      candidates: found.candidates,
      refused,
      whole,
    }
  }

  /** A page is an answer with status 200 and a type that we parse. */
  #parse(exchange: Exchange): Page | undefined {
    if (exchange.status !== 200) return undefined
    const page = parsePage(exchange.body, {
      url: exchange.url,
      contentType: header(exchange.headers, 'content-type') ?? '',
      xRobotsTag: exchange.headers.filter(([name]) => name.toLowerCase() === 'x-robots-tag').map(([, value]) => value),
      config: this.#parts.parse,
      withText: this.#parts.withText,
    })
    return page.kind === 'html' || page.kind === 'text' ? page : undefined
  }
}

function recordOf(
  { url, depth, parent }: CrawlRequest,
  { kind, exchange }: Fetched,
  page: Page | undefined,
  { urls }: FoundLinks,
): UrlRecord {
  return {
    url,
    finalUrl: url,
    kind: kind === 'redirected' ? 'redirect' : page ? 'page' : 'other',
    status: exchange.status,
    contentType: header(exchange.headers, 'content-type') ?? '',
    title: page?.title ?? '',
    description: page?.description ?? '',
    keywords: page?.keywords ?? [],
    lang: page?.lang ?? '',
    canonical: page?.canonical ?? '',
    publishedAt: page?.publishedAt ?? '',
    noindex: page?.robots.noindex ?? false,
    text: page?.text ?? '',
    links: urls,
    contentHash: contentHash(exchange.body),
    simhash: page ? simhash(page.text) : '',
    duplicateOf: null,
    nearDuplicateOf: null,
    depth,
    parent,
    fetchedAt: exchange.startedAt,
    warc: null,
  }
}
