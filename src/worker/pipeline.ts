import type { Clock } from '../clock.ts'
import type { Validators } from '../fetch/conditional.ts'
import { type FailureCode, header } from '../fetch/outcome.ts'
import { followsAnswer, followsFailure, prospects, type WhatFollows } from '../fetch/retry.ts'
import type { CrawlRequest, Settled, Sums } from '../frontier/frontier.ts'
import { type Fetched, fetches, staged } from '../monitor/events.ts'
import { type HostEvent, parseRetryAfter } from '../politeness/pace.ts'
import type { Reader } from '../reading/reader.ts'
import type { Answered, FetchFailed, Reading } from '../reading/reading.ts'
import { wasJustMade } from '../schedule/next-visit.ts'
import type { Archive, KeptExchange } from '../store/archive.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { FreshRecord, UrlRecord } from '../store/url-record.ts'
import { Together } from '../together.ts'
import type { Keeper } from './keeper.ts'
import type { CrawledPage, Touch, Visited, Visits } from './visit.ts'

export interface PipelineParts {
  readonly reader: Reader
  readonly archive: Archive | undefined
  readonly keeper: Keeper
  readonly records: RecordStore
  readonly clock: Clock
  readonly retryDelaysMs: readonly number[]
  readonly onPage: ((page: CrawledPage) => unknown) | undefined
}

/**
 * The path of one URL: bring and read it, keep it, say what follows. Nothing but `onPage` waits between archive and
 * settlement, so on the embedded engines all of it falls into one group commit.
 */
export class Pipeline implements Visits {
  readonly #parts: PipelineParts
  readonly #together = new Together()

  constructor(parts: PipelineParts) {
    this.#parts = parts
  }

  async visit(request: CrawlRequest, touch: Touch): Promise<Visited | undefined> {
    const { reader, records, clock, retryDelaysMs } = this.#parts
    const previous = request.isRevisit ? await records.get(request.url) : undefined
    if (previous && wasJustMade(previous, clock.now())) return notNeeded(request, touch)
    const { sendBefore } = touch
    const asked = previous ? { ...request, sendBefore, ...conditionOf(previous) } : { ...request, sendBefore }
    const reading = await staged('read', request.url, () => reader.read(asked, () => touch.sent()))
    if (fetches.isHeard) fetches.tell(fetchedIn(request.url, reading))
    if (reading.kind === 'answered') {
      touch.ended(reading.isBlocked ? wallEvent : hostEvent(reading.exchange, clock.now()))
      // Not before the host may be asked again: it need not wait until its page is kept.
      await this.#together.leave()
      return await this.#answered(request, reading, previous)
    }
    touch.ended(failureEvent(reading.code))
    return visitFailed(request, reading, { records, clock, retryDelaysMs })
  }

  async #answered(request: CrawlRequest, answered: Answered, previous: UrlRecord | undefined): Promise<Visited> {
    const { archive, keeper, onPage, retryDelaysMs } = this.#parts
    const { exchange, payloadHash, whole, release } = answered
    const { record, adds, isPutOff } = await keeper.keep(request, {
      exchange,
      location: answered.location,
      record: answered.record,
      candidates: answered.candidates,
      refused: answered.refused,
      counts: answered.counts,
      note: answered.note,
      looksMissing: answered.looksMissing,
      isBlocked: answered.isBlocked,
      previous,
      mayPutOff: true,
      bodyBytes: exchange.rawBody.length,
      archive: (original) => (archive ? archive.append(exchange, payloadHash, original) : null),
    })
    if (isPutOff) return { settled: { url: request.url, ...putOff(request), adds }, release }
    if (whole && record.kind === 'page') await onPage?.({ ...record, text: whole.parsed.text, ...whole, request })
    const follows: WhatFollows = answered.isBlocked
      ? { kind: 'dead', reason: answered.note }
      : followsAnswer(exchange.status, request.attempts, retryDelaysMs)
    return { settled: settledAs(record, follows, previous !== undefined, adds), release }
  }
}

/** A wall is a host's way to say that we ask too much. */
export const wallEvent: HostEvent = { kind: 'throttled', retryAfterMs: null }

/** By then its host has most likely been asked for a page that cannot exist. */
function putOff({ attempts }: CrawlRequest): WhatFollows {
  return { kind: 'retry', afterMs: 2000 * 2 ** attempts, reason: 'soft-404-probe' }
}

/** The host is not touched, and nothing is counted. */
export function notNeeded({ url }: CrawlRequest, touch: Touch): Visited {
  touch.ended(null)
  return { settled: { url, kind: 'done' }, release: () => {} }
}

/** `undefined`: it was given up, and is no visit. */
export async function visitFailed(
  request: CrawlRequest,
  { code, detail, durationMs }: FetchFailed,
  { records, clock, retryDelaysMs }: Pick<PipelineParts, 'records' | 'clock' | 'retryDelaysMs'>,
): Promise<Visited | undefined> {
  if (code === 'cancelled') return undefined
  await records.put(request.url, {
    at: clock.now() - Math.round(durationMs),
    kind: 'failed',
    status: null,
    durationMs,
    bytes: 0,
    detail: detail ? `${code}: ${detail}` : code,
  })
  const adds = { requests: 1, failures: 1, [`errors.${code}`]: 1 }
  const follows = followsFailure(code, request.attempts, retryDelaysMs)
  return { settled: { url: request.url, ...follows, adds }, release: () => {} }
}

function fetchedIn(url: string, reading: Reading): Fetched {
  if (reading.kind === 'failed') return { url, status: null, code: reading.code, durationMs: reading.durationMs }
  return { url, status: reading.exchange.status, code: '', durationMs: reading.exchange.durationMs }
}

/** What to ask a server with, so that it sends a page only if that has changed. */
export function conditionOf({ status, next }: UrlRecord): { readonly validators?: Validators } {
  return status === 200 && next ? { validators: { etag: next.etag, lastModified: next.lastModified } } : {}
}

/** Whether a host still brings something new is told by its new pages. */
function settledAs(record: FreshRecord, follows: WhatFollows, isKnown: boolean, adds: Sums): Settled {
  const { url } = record
  if (follows.kind !== 'done') return { url, ...follows, adds }
  if (record.kind !== 'page' || isKnown) return { url, kind: 'done', adds }
  return { url, kind: 'done', nearDuplicate: (record.nearDuplicateOf ?? record.duplicateOf) !== null, adds }
}

/** A name that does not exist, a page that is too large or our own fault says nothing about how the host bears us. */
export function failureEvent(code: FailureCode): HostEvent | null {
  return prospects[code] === 'heals' && code !== 'reader-died' ? { kind: 'failure' } : null
}

export function hostEvent(exchange: Pick<KeptExchange, 'status' | 'durationMs' | 'headers'>, now: number): HostEvent {
  const { status, durationMs } = exchange
  if (status === 429 || status === 503) {
    const retryAfter = header(exchange.headers, 'retry-after')
    return { kind: 'throttled', retryAfterMs: retryAfter === undefined ? null : parseRetryAfter(retryAfter, now) }
  }
  return status >= 500 ? { kind: 'failure' } : { kind: 'ok', latencyMs: durationMs }
}
