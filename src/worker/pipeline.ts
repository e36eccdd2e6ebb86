import type { Clock } from '../clock.ts'
import type { NearDuplicates } from '../dedup/near-duplicates.ts'
import { type FailureCode, header } from '../fetch/outcome.ts'
import { followsAnswer, followsFailure, prospects, type WhatFollows } from '../fetch/retry.ts'
import type { Candidate, CrawlRequest, Settled } from '../frontier/frontier.ts'
import { gate } from '../gate.ts'
import { isSearchable, searchDocument } from '../index/search-document.ts'
import type { SearchIndex } from '../index/search-index.ts'
import { type HostEvent, parseRetryAfter } from '../politeness/pace.ts'
import type { Candidates } from '../reading/candidates.ts'
import { count } from '../reading/counters.ts'
import type { Reader } from '../reading/reader.ts'
import type { Answered, FetchFailed } from '../reading/reading.ts'
import type { Archive, KeptExchange } from '../store/archive.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { UrlRecord, VisitEntry, WarcPlace } from '../store/url-record.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { countRecord, type Tally } from './tally.ts'
import type { CrawledPage, Touch, Visited } from './visit.ts'

export interface PipelineParts {
  readonly reader: Reader
  readonly archive: Archive | undefined
  readonly records: RecordStore
  readonly nearDuplicates: NearDuplicates
  readonly index: SearchIndex | undefined
  readonly offer: (candidates: readonly Candidate[]) => Promise<void>
  /** For the targets of redirects; those of links come with the reading. */
  readonly candidates: Candidates
  readonly clock: Clock
  readonly tally: Tally
  readonly retryDelaysMs: readonly number[]
  /** A seed led to another host: the crawl follows it there. */
  readonly onSeedMoved: (target: CanonicalUrl) => void
  readonly onPage: ((page: CrawledPage) => unknown) | undefined
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
  async visit(request: CrawlRequest, touch: Touch): Promise<Visited | undefined> {
    const { reader, clock, tally } = this.#parts
    const reading = await reader.read(request, () => touch.sent())
    touch.ended(reading.kind === 'failed' ? failureEvent(reading.code) : hostEvent(reading.exchange, clock.now()))
    if (reading.kind === 'failed' && reading.code === 'cancelled') return undefined
    tally.requests++
    return reading.kind === 'failed' ? this.#failed(request, reading) : this.#answered(request, reading)
  }

  async #failed(request: CrawlRequest, { code, detail, durationMs }: FetchFailed): Promise<Visited> {
    const { records, clock, tally, retryDelaysMs } = this.#parts
    await records.put(request.url, {
      at: clock.now() - Math.round(durationMs),
      kind: 'failed',
      status: null,
      durationMs,
      bytes: 0,
      detail: detail ? `${code}: ${detail}` : code,
    })
    const countIt = () => {
      tally.failures++
      count(tally.errors, code)
    }
    const follows = followsFailure(code, request.attempts, retryDelaysMs)
    return { settled: { url: request.url, ...follows }, count: countIt, release: () => {} }
  }

  async #answered(request: CrawlRequest, answered: Answered): Promise<Visited> {
    const { onPage, retryDelaysMs } = this.#parts
    const { exchange, whole, release } = answered
    const record = await this.#oneByOne.through(() => this.#keep(request, answered))
    if (whole) await onPage?.({ ...record, ...whole, request })
    const countIt = () => this.#tally(exchange, record)
    const follows = followsAnswer(exchange.status, request.attempts, retryDelaysMs)
    return { settled: settledAs(record, follows), count: countIt, release }
  }

  async #keep(request: CrawlRequest, answered: Answered): Promise<UrlRecord> {
    const compared = await this.#compare(answered.record)
    const warc = await this.#archive(answered, compared)
    const target = this.#target(request, answered)
    const record = { ...compared, warc, finalUrl: target?.finalUrl ?? request.url }
    await this.#parts.records.put(request.url, visitOf(answered.exchange, record), record)
    await this.#index(record)
    await this.#offer(answered, target?.candidate)
    return record
  }

  /** The record, with what the store already has that is equal or nearly equal. */
  async #compare(record: UrlRecord): Promise<UrlRecord> {
    const { records, nearDuplicates } = this.#parts
    const { url, kind, contentHash, simhash } = record
    if (kind !== 'page' || contentHash === '') return record
    const same = await records.findByContent(contentHash)
    if (same !== undefined && same !== url) return { ...record, simhash: '', duplicateOf: same }
    const near = simhash === '' ? undefined : await nearDuplicates.findOrAdd(url, simhash)
    return near === undefined || near === url ? record : { ...record, nearDuplicateOf: near }
  }

  async #archive({ exchange, payloadHash }: Answered, { duplicateOf }: UrlRecord): Promise<WarcPlace | null> {
    const { archive, records } = this.#parts
    if (!archive) return null
    const original = duplicateOf && (await records.get(duplicateOf))
    const revisitOf = original ? { url: original.url, fetchedAt: original.fetchedAt } : undefined
    return archive.append(exchange, payloadHash, revisitOf)
  }

  /** Where a redirect leads, and whether the crawl goes there. */
  #target(
    request: CrawlRequest,
    { location }: Answered,
  ): { finalUrl: string; candidate: Candidate | undefined } | null {
    if (location === null) return null
    const { candidates, onSeedMoved, tally } = this.#parts
    const target = candidates.canonical(location, tally.refused)
    if (!target) return { finalUrl: location, candidate: undefined }
    if (request.depth === 0) onSeedMoved(target)
    return { finalUrl: target, candidate: candidates.fromRedirect(request, target, tally.refused) }
  }

  async #index(record: UrlRecord): Promise<void> {
    const { index } = this.#parts
    if (!index) return
    if (isSearchable(record) && !record.duplicateOf) await index.put(searchDocument(record))
    else await index.remove(record.url)
  }

  async #offer({ candidates, refused }: Answered, target: Candidate | undefined): Promise<void> {
    for (const [rule, links] of Object.entries(refused)) count(this.#parts.tally.refused, rule, links)
    const offered = target ? [target] : candidates
    if (offered.length > 0) await this.#parts.offer(offered)
  }

  #tally(exchange: KeptExchange, record: UrlRecord): void {
    const { tally } = this.#parts
    tally.bytes += exchange.rawBody.length
    countRecord(tally, record, 1)
    if (exchange.status >= 400) count(tally.errors, `status-${exchange.status}`)
  }
}

function visitOf(exchange: KeptExchange, record: UrlRecord): VisitEntry {
  const { startedAt: at, durationMs, status, rawBody } = exchange
  const detail = record.kind === 'redirect' ? record.finalUrl : (exchange.truncated ?? '')
  return { at, kind: record.kind, status, durationMs, bytes: rawBody.length, detail }
}

function settledAs(record: UrlRecord, follows: WhatFollows): Settled {
  if (follows.kind !== 'done') return { url: record.url, ...follows }
  if (record.kind !== 'page') return { url: record.url, kind: 'done' }
  return { url: record.url, kind: 'done', nearDuplicate: (record.nearDuplicateOf ?? record.duplicateOf) !== null }
}

/** A name that does not exist, a page that is too large or our own fault says nothing about how the host bears us. */
function failureEvent(code: FailureCode): HostEvent | null {
  return prospects[code] === 'heals' && code !== 'reader-died' ? { kind: 'failure' } : null
}

function hostEvent(exchange: KeptExchange, now: number): HostEvent {
  const { status, durationMs } = exchange
  if (status === 429 || status === 503) {
    const retryAfter = header(exchange.headers, 'retry-after')
    return { kind: 'throttled', retryAfterMs: retryAfter === undefined ? null : parseRetryAfter(retryAfter, now) }
  }
  return status >= 500 ? { kind: 'failure' } : { kind: 'ok', latencyMs: durationMs }
}
