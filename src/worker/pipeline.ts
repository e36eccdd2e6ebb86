import type { Clock } from '../clock.ts'
import { contentHash, payloadHash } from '../dedup/content-hash.ts'
import type { NearDuplicates } from '../dedup/near-duplicates.ts'
import { simhash } from '../dedup/simhash.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { type Exchange, type FetchOutcome, header } from '../fetch/outcome.ts'
import { prospects, type WhatFollows, whatFollows } from '../fetch/retry.ts'
import type { Candidate, CrawlRequest, Settled } from '../frontier/frontier.ts'
import { gate } from '../gate.ts'
import { isSearchable, searchDocument } from '../index/search-document.ts'
import type { SearchIndex } from '../index/search-index.ts'
import type { ParseConfig } from '../parse/config.ts'
import type { Page } from '../parse/page.ts'
import { parsePage } from '../parse/parse-page.ts'
import { type HostEvent, parseRetryAfter } from '../politeness/pace.ts'
import type { Archive } from '../store/archive.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { UrlRecord, VisitEntry, WarcPlace } from '../store/url-record.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import type { Candidates } from './candidates.ts'
import { count, countRecord, type Tally } from './tally.ts'
import type { CrawledPage, Visited } from './visit.ts'

export interface PipelineParts {
  readonly fetcher: Fetcher
  readonly archive: Archive | undefined
  readonly records: RecordStore
  readonly nearDuplicates: NearDuplicates
  readonly index: SearchIndex | undefined
  readonly offer: (candidates: readonly Candidate[]) => Promise<void>
  readonly candidates: Candidates
  readonly clock: Clock
  readonly tally: Tally
  readonly parse: ParseConfig
  readonly withText: boolean
  readonly retryDelaysMs: readonly number[]
  /** A seed led to another host: the crawl follows it there. */
  readonly onSeedMoved: (target: CanonicalUrl) => void
  readonly onPage: ((page: CrawledPage) => unknown) | undefined
}

type Fetched = Extract<FetchOutcome, { exchange: Exchange }>

/** Where an answer leads. */
interface Leads {
  readonly finalUrl: string
  readonly links: readonly CanonicalUrl[]
  readonly candidates: readonly Candidate[]
}

/**
 * The path of one URL, a line for each stage. Pages are kept one by one, so that of two equal ones that arrive together
 * the second finds the first. Nothing but `onPage` waits between archive and settlement, so on the embedded engines all
 * of it falls into one group commit.
 */
export class Pipeline {
  readonly #parts: PipelineParts
  readonly #oneByOne = gate(1)

  constructor(parts: PipelineParts) {
    this.#parts = parts
  }

  /** `undefined`: cancelled before an answer came; nothing was kept. */
  async visit(request: CrawlRequest, signal: AbortSignal, onSent: () => void): Promise<Visited | undefined> {
    const { fetcher, retryDelaysMs, tally } = this.#parts
    const outcome = await fetcher.fetch(request.url, { signal, onSent })
    if (outcome.kind === 'failed' && outcome.code === 'cancelled') return undefined
    const follows = whatFollows(outcome, request.attempts, retryDelaysMs)
    tally.requests++
    if (outcome.kind === 'failed') return this.#failed(request, outcome, follows)
    return this.#answered(request, outcome, follows)
  }

  async #failed(
    request: CrawlRequest,
    failure: FetchOutcome & { kind: 'failed' },
    follows: WhatFollows,
  ): Promise<Visited> {
    const { records, clock, tally } = this.#parts
    const detail = failure.detail ? `${failure.code}: ${failure.detail}` : failure.code
    const at = clock.now() - Math.round(failure.durationMs)
    await records.put(request.url, {
      at,
      kind: 'failed',
      status: null,
      durationMs: failure.durationMs,
      bytes: 0,
      detail,
    })
    // A name that does not exist or a page that is too large says nothing about how the host bears us.
    const event = prospects[failure.code] === 'heals' ? ({ kind: 'failure' } as const) : null
    const countIt = () => {
      tally.failures++
      count(tally.errors, failure.code)
    }
    return { settled: { url: request.url, ...follows }, event, count: countIt }
  }

  async #answered(request: CrawlRequest, outcome: Fetched, follows: WhatFollows): Promise<Visited> {
    const { onPage, clock } = this.#parts
    const { exchange } = outcome
    const page = this.#parse(exchange)
    const record = await this.#oneByOne.through(() => this.#keep(request, outcome, page))
    if (page) await onPage?.({ ...record, request, body: exchange.body, parsed: page })
    const countIt = () => this.#tally(exchange, record)
    return { settled: settledAs(record, follows), event: hostEvent(exchange, clock.now()), count: countIt }
  }

  async #keep(request: CrawlRequest, outcome: Fetched, page: Page | undefined): Promise<UrlRecord> {
    const { exchange } = outcome
    const draft = await this.#compare(request, outcome, page)
    const warc = await this.#archive(exchange, draft)
    const { finalUrl, links, candidates } = this.#links(request, outcome, page)
    const record = { ...draft, finalUrl, links, warc }
    await this.#parts.records.put(request.url, visitOf(exchange, record), record)
    await this.#index(page, record)
    if (candidates.length > 0) await this.#parts.offer(candidates)
    return record
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

  /** The record, with what the store already has that is equal or nearly equal. */
  async #compare(request: CrawlRequest, outcome: Fetched, page: Page | undefined): Promise<UrlRecord> {
    const { exchange } = outcome
    const { url, depth, parent } = request
    const hash = exchange.body.length > 0 ? contentHash(exchange.body) : ''
    const same = page && hash ? await this.#parts.records.findByContent(hash) : undefined
    const duplicateOf = same === url ? null : (same ?? null)
    const print = page && !duplicateOf ? simhash(page.text) : ''
    const near = print ? await this.#parts.nearDuplicates.findOrAdd(url, print) : undefined
    return {
      url,
      finalUrl: url,
      kind: outcome.kind === 'redirected' ? 'redirect' : page ? 'page' : 'other',
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
      links: [],
      contentHash: hash,
      simhash: print,
      duplicateOf,
      nearDuplicateOf: near === url ? null : (near ?? null),
      depth,
      parent,
      fetchedAt: exchange.startedAt,
      warc: null,
    }
  }

  async #archive(exchange: Exchange, draft: UrlRecord): Promise<WarcPlace | null> {
    const { archive, records } = this.#parts
    if (!archive) return null
    const original = draft.duplicateOf && (await records.get(draft.duplicateOf))
    const revisitOf = original ? { url: original.url, fetchedAt: original.fetchedAt } : undefined
    return archive.append(exchange, payloadHash(exchange, draft.contentHash), revisitOf)
  }

  #links(request: CrawlRequest, outcome: Fetched, page: Page | undefined): Leads {
    const { candidates, onSeedMoved } = this.#parts
    if (outcome.kind === 'redirected') {
      const target = candidates.canonical(outcome.location)
      if (target && request.depth === 0) onSeedMoved(target)
      const candidate = target && candidates.fromRedirect(request, target)
      return { finalUrl: target ?? outcome.location, links: [], candidates: candidate ? [candidate] : [] }
    }
    if (!page || page.robots.nofollow) return { finalUrl: request.url, links: [], candidates: [] }
    const found = candidates.fromLinks(request, page.links)
    return { finalUrl: request.url, links: found.urls, candidates: found.candidates }
  }

  async #index(page: Page | undefined, record: UrlRecord): Promise<void> {
    const { index } = this.#parts
    if (!index) return
    if (page && isSearchable(record) && !record.duplicateOf) await index.put(searchDocument(page, record))
    else await index.remove(record.url)
  }

  #tally(exchange: Exchange, record: UrlRecord): void {
    const { tally } = this.#parts
    tally.bytes += exchange.rawBody.length
    countRecord(tally, record, 1)
    if (exchange.status >= 400) count(tally.errors, `status-${exchange.status}`)
  }
}

function visitOf(exchange: Exchange, record: UrlRecord): VisitEntry {
  const { startedAt: at, durationMs, status, rawBody } = exchange
  const detail = record.kind === 'redirect' ? record.finalUrl : (exchange.truncated ?? '')
  return { at, kind: record.kind, status, durationMs, bytes: rawBody.length, detail }
}

function settledAs(record: UrlRecord, follows: WhatFollows): Settled {
  if (follows.kind !== 'done') return { url: record.url, ...follows }
  if (record.kind !== 'page') return { url: record.url, kind: 'done' }
  return { url: record.url, kind: 'done', nearDuplicate: (record.nearDuplicateOf ?? record.duplicateOf) !== null }
}

function hostEvent(exchange: Exchange, now: number): HostEvent {
  const { status, durationMs } = exchange
  if (status === 429 || status === 503) {
    const retryAfter = header(exchange.headers, 'retry-after')
    return { kind: 'throttled', retryAfterMs: retryAfter === undefined ? null : parseRetryAfter(retryAfter, now) }
  }
  return status >= 500 ? { kind: 'failure' } : { kind: 'ok', latencyMs: durationMs }
}
