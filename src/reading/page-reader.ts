import { contentHash, payloadHash } from '../dedup/content-hash.ts'
import { simhash } from '../dedup/simhash.ts'
import type { DiscoveryConfig } from '../discovery/config.ts'
import { giveBackBuffer } from '../fetch/body-buffers.ts'
import { conditionalHeaders } from '../fetch/conditional.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { type HeldBytes, heldBytesOf } from '../fetch/held-bytes.ts'
import { type Exchange, type FetchOutcome, header, headersNamed } from '../fetch/outcome.ts'
import type { CrawlRequest } from '../frontier/frontier.ts'
import type { ParseConfig } from '../parse/config.ts'
import { type DocumentKind, DocumentReader } from '../parse/document-reader.ts'
import { detectLanguage } from '../parse/language.ts'
import { refreshTarget } from '../parse/link-elements.ts'
import type { Listing } from '../parse/listing.ts'
import type { Page } from '../parse/page.ts'
import { byteLengthOf, giveBackText, type PageText } from '../parse/page-text.ts'
import { readPage } from '../parse/parse-page.ts'
import { readListing } from '../parse/read-listing.ts'
import { truncate } from '../parse/truncate.ts'
import { simhashInWasm } from '../parse/wasm/wasm-simhash.ts'
import type { KeptExchange } from '../store/archive.ts'
import type { FreshRecord } from '../store/url-record.ts'
import type { Scope } from '../url/scope.ts'
import type { Candidates } from './candidates.ts'
import type { Counters } from './counters.ts'
import { listedLinks } from './listed-links.ts'
import { looksMissing } from './missing-pages.ts'
import type { FoundLinks, PageLinks } from './page-links.ts'
import type { Reader, ReadRequest } from './reader.ts'
import type { Answer, Answered, Reading } from './reading.ts'
import { WallWatch } from './wall-watch.ts'
import type { Wall } from './walls.ts'

export interface PageReaderParts {
  readonly fetcher: Fetcher
  readonly resolver: AsyncDisposable
  /** The fetcher's account of bytes that are not yet stored. */
  readonly held: HeldBytes
  readonly links: PageLinks
  readonly candidates: Candidates
  readonly discovery: Pick<DiscoveryConfig, 'sitemaps' | 'maxNesting'>
  readonly scope: Scope
  readonly parse: ParseConfig
  readonly withText: boolean
  /** Without one nobody asks for the hash of what was sent to the letter. */
  readonly withArchive: boolean
  /** Whether pages are handed on whole, with their body. */
  readonly wholePages: boolean
  /** Set: what is under way is given up. */
  readonly aborting: AbortSignal
}

/** What an answer says, so far as it alone can tell. */
interface Read {
  /** `undefined`: it is none. */
  readonly page: Page<PageText> | undefined
  readonly found: FoundLinks
  readonly refused: Counters
  readonly counts?: Counters
  readonly note?: string
  readonly isBlocked?: boolean
}

function walled({ kind, by }: Wall): Read {
  const nothing = { urls: [], candidates: [] }
  const counts = { [`errors.${kind}`]: 1 }
  return { page: undefined, found: nothing, refused: {}, counts, note: `${kind}: ${by}`, isBlocked: kind === 'blocked' }
}

/** A page that is over is no different in anything but its date. */
function noteOf(page: Page<PageText> | undefined, { startedAt }: Exchange): string {
  const unavailableAfter = page?.robots.unavailableAfter ?? ''
  return unavailableAfter !== '' && Date.parse(unavailableAfter) < startedAt
    ? `unavailable_after: ${unavailableAfter}`
    : ''
}

type Fetched = Extract<FetchOutcome, { exchange: Exchange }>

/** Reads in the thread that calls it. */
export class PageReader implements Reader {
  readonly #parts: PageReaderParts
  readonly #walls = new WallWatch()
  readonly #documents: DocumentReader

  constructor(parts: PageReaderParts) {
    this.#parts = parts
    this.#documents = new DocumentReader(parts.parse)
  }

  async read(request: ReadRequest, onSent: () => void): Promise<Reading> {
    const { fetcher, aborting: signal, wholePages } = this.#parts
    const { url, validators, sendBefore = Number.POSITIVE_INFINITY } = request
    const headers = validators && conditionalHeaders(validators)
    const options = { onSent, sendBefore, signal, givesBodyBack: !wholePages }
    const outcome = await fetcher.fetch(url, headers ? { ...options, headers } : options)
    if (outcome.kind === 'failed') return outcome
    const answer = this.answer(request, outcome)
    return this.#handOut(outcome, answer instanceof Promise ? await answer : answer)
  }

  readonly fetch: Fetcher['fetch'] = async (url, options) => {
    const { fetcher, aborting: signal, held } = this.#parts
    const outcome = await fetcher.fetch(url, { signal, ...options })
    if (outcome.kind !== 'failed') held.release(heldBytesOf(outcome.exchange))
    return outcome
  }

  /** An answer that was handed out is stored, or given up. */
  release(heldBytes: number): void {
    this.#parts.held.release(heldBytes)
  }

  widen(host: string): void {
    this.#parts.scope.widen(host)
    this.#parts.links.forget()
  }

  async [Symbol.asyncDispose]() {
    await this.#documents[Symbol.asyncDispose]()
    await this.#parts.fetcher[Symbol.asyncDispose]()
    await this.#parts.resolver[Symbol.asyncDispose]()
  }

  /** Reads what was fetched, here or elsewhere; at once, unless it is long or needs help. */
  answer(request: CrawlRequest, outcome: Fetched): Answer | Promise<Answer> {
    const refused: Counters = {}
    const { links } = this.#parts
    links.begin(request, refused)
    const page = this.#parse(outcome.exchange)
    if (page?.kind === 'html' && !page.robots.nofollow) this.#followRefresh(outcome.exchange)
    if (page && this.#parts.parse.obey.canonical) links.canonical(page.canonical)
    if (page && this.#parts.discovery.sitemaps) for (const sitemap of page.sitemaps) links.sitemap(sitemap)
    const found = links.end()
    if (page?.kind === 'sitemap' || page?.kind === 'feed') return this.#listing(request, outcome, page.kind)
    if (page?.kind === 'pdf' || page?.kind === 'office') return this.#document(request, outcome, page, page.kind)
    const wall = page && this.#wallIn(outcome.exchange, page, found)
    if (wall) return this.#answerOf(request, outcome, walled(wall))
    return this.#answerOf(request, outcome, { page, found, refused, note: noteOf(page, outcome.exchange) })
  }

  #wallIn(exchange: Exchange, page: Page<PageText>, { urls }: FoundLinks): Wall | undefined {
    if (this.#parts.withText) return this.#walls.wallIn(exchange, page)
    return this.#walls.wallWithoutText(exchange, page, urls.length)
  }

  /** A page may send its reader on by its head as well as by `<meta>`. */
  #followRefresh({ url, headers }: Exchange): void {
    const refresh = header(headers, 'refresh')
    const target = refresh === undefined ? '' : refreshTarget(refresh)
    const absolute = target === '' ? null : URL.parse(target, url)
    if (absolute) this.#parts.links.take(absolute.href, 0, 0)
  }

  async #document(request: CrawlRequest, outcome: Fetched, page: Page<PageText>, kind: DocumentKind): Promise<Answer> {
    const { parse, withText } = this.#parts
    const nothing = { found: { urls: [], candidates: [] }, refused: {} }
    if (!parse.documents || !withText) return this.#answerOf(request, outcome, { page: undefined, ...nothing })
    const read = await this.#documents.read(kind, outcome.exchange.body)
    if ('fault' in read) {
      const note = `${kind} that cannot be read: ${truncate(read.fault, 200)}`
      return this.#answerOf(request, outcome, { page: undefined, ...nothing, note })
    }
    const { title, text, isCut } = read
    const said = { ...page, title: truncate(title, parse.maxTitleChars), text, lang: detectLanguage(text) }
    return this.#answerOf(request, outcome, { page: said, ...nothing, note: isCut ? `${kind}, cut` : kind })
  }

  async #listing(request: CrawlRequest, outcome: Fetched, kind: Listing['kind']): Promise<Answer> {
    const { parse: config, candidates, discovery } = this.#parts
    const { url, body, headers } = outcome.exchange
    const contentType = header(headers, 'content-type') ?? ''
    const listing = await readListing(body, { url, contentType, kind, config })
    const refused: Counters = {}
    const found = await listedLinks(request, listing, candidates, refused, discovery.maxNesting)
    // What is listed beyond the limit of links stays out of the record, not out of the crawl.
    const kept = { ...found, urls: found.urls.slice(0, config.maxLinks) }
    const counts = { [`found.${kind}`]: listing.urls.length }
    const note = `${kind}: ${listing.urls.length} URLs${listing.isCut ? ', there may be more' : ''}`
    return this.#answerOf(request, outcome, { page: undefined, found: kept, refused, counts, note })
  }

  #answerOf(request: CrawlRequest, outcome: Fetched, read: Read): Answer {
    const { wholePages, withArchive } = this.#parts
    const { page, found, refused, counts = {}, note = '', isBlocked = false } = read
    const exchange = withoutBody(outcome.exchange)
    const hash = contentHash(outcome.exchange)
    const record = recordOf(request, outcome, page, found, hash)
    const whole =
      page && wholePages ? { body: outcome.exchange.body, parsed: { ...page, text: page.text.toString() } } : null
    return {
      kind: 'answered',
      exchange,
      payloadHash: withArchive ? payloadHash(outcome.exchange, hash) : '',
      location: outcome.kind === 'redirected' ? outcome.location : null,
      record,
      candidates: found.candidates,
      refused,
      counts,
      note,
      isBlocked,
      looksMissing: page !== undefined && looksMissing(page, request.url),
      whole,
      heldBytes: whole ? heldBytesOf(outcome.exchange) : exchange.rawBody.length + byteLengthOf(record.text),
    }
  }

  #handOut(outcome: Fetched, answer: Answer): Answered {
    const { whole, heldBytes } = answer
    const { rawBody, body } = outcome.exchange
    this.#parts.held.resize(heldBytesOf(outcome.exchange), heldBytes)
    if (!whole && body.buffer !== rawBody.buffer) giveBackBuffer(body)
    const release = () => {
      this.release(heldBytes)
      if (!whole) giveBackBuffer(rawBody)
      giveBackText(answer.record.text)
    }
    return { ...answer, release }
  }

  /** What may be read: an answer with status 200 and a type that we parse. */
  #parse(exchange: Exchange): Page<PageText> | undefined {
    if (exchange.status !== 200) return undefined
    const { wholePages } = this.#parts
    const page = readPage(exchange.body, {
      url: exchange.url,
      contentType: header(exchange.headers, 'content-type') ?? '',
      xRobotsTag: headersNamed(exchange.headers, 'x-robots-tag'),
      config: this.#parts.parse,
      visitedAt: exchange.startedAt,
      withText: this.#parts.withText,
      references: this.#parts.links,
      withLinks: wholePages,
      withData: wholePages,
    })
    return page.kind === 'other' ? undefined : page
  }
}

/** Field by field: the rest of an object, `{ body, ...rest }`, takes many times as long. */
function withoutBody(exchange: Exchange): KeptExchange {
  return {
    url: exchange.url,
    method: exchange.method,
    startedAt: exchange.startedAt,
    durationMs: exchange.durationMs,
    address: exchange.address,
    protocol: exchange.protocol,
    requestHeaders: exchange.requestHeaders,
    status: exchange.status,
    statusText: exchange.statusText,
    headers: exchange.headers,
    rawBody: exchange.rawBody,
    truncated: exchange.truncated,
  }
}

function recordOf(
  { url, depth, parent }: CrawlRequest,
  { kind, exchange }: Fetched,
  page: Page<PageText> | undefined,
  { urls }: FoundLinks,
  contentHash: string,
): FreshRecord {
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
    contentHash,
    simhash: page ? (simhashInWasm(page.text) ?? simhash(page.text)) : '',
    duplicateOf: null,
    nearDuplicateOf: null,
    depth,
    parent,
    fetchedAt: exchange.startedAt,
    warc: null,
  }
}
