import type { Clock } from '../clock.ts'
import { payloadHash } from '../dedup/content-hash.ts'
import { conditionalHeaders } from '../fetch/conditional.ts'
import { type FetchOutcome, header } from '../fetch/outcome.ts'
import { followsAnswer, type WhatFollows } from '../fetch/retry.ts'
import type { CrawlRequest, Sums } from '../frontier/frontier.ts'
import { fetches, staged } from '../monitor/events.ts'
import { sniffKind } from '../parse/kind.ts'
import type { Reader } from '../reading/reader.ts'
import type { UnreadWalls } from '../reading/wall-watch.ts'
import { wasJustMade } from '../schedule/next-visit.ts'
import type { Archive } from '../store/archive.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { UrlRecord } from '../store/url-record.ts'
import type { FetchedPage } from '../stream/stream.ts'
import type { CanonicalUrl, HostKey } from '../url/keys.ts'
import { conditionOf, failureEvent, hostEvent, notNeeded, visitFailed, wallEvent } from './pipeline.ts'
import type { Touch, Visited, Visits } from './visit.ts'

export interface FetchStageParts {
  readonly crawl: string
  readonly reader: Reader
  readonly archive: Archive
  readonly records: RecordStore
  /** Tells those who parse, once the archive is safe. */
  readonly tell: (page: FetchedPage) => void
  readonly clock: Clock
  readonly keyOf: (url: CanonicalUrl) => HostKey
  readonly retryDelaysMs: readonly number[]
  readonly walls: Pick<UnreadWalls, 'wallIn'>
}

type Fetched = Exclude<FetchOutcome, { kind: 'failed' }>

/**
 * The first half of a URL's path, where the two halves scale apart: bring it, archive it, and leave it to whoever parses.
 * The visit is settled when both archive and message are safe; what comes of the page is counted as on its way.
 */
export class FetchStage implements Visits {
  readonly #parts: FetchStageParts

  constructor(parts: FetchStageParts) {
    this.#parts = parts
  }

  async visit(request: CrawlRequest, touch: Touch): Promise<Visited | undefined> {
    const { reader, records, clock, retryDelaysMs } = this.#parts
    const { url } = request
    const previous = request.isRevisit ? await records.get(url) : undefined
    if (previous && wasJustMade(previous, clock.now())) return notNeeded(request, touch)
    const validators = previous && conditionOf(previous).validators
    const headers = validators ? conditionalHeaders(validators) : []
    const { sendBefore } = touch
    const sending = { onSent: () => touch.sent(), sendBefore }
    const outcome = await staged('read', url, () => reader.fetch(url, { headers, ...sending }))
    if (outcome.kind === 'failed') {
      if (fetches.isHeard) fetches.tell({ url, status: null, code: outcome.code, durationMs: outcome.durationMs })
      touch.ended(failureEvent(outcome.code))
      return visitFailed(request, outcome, { records, clock, retryDelaysMs })
    }
    const { status, durationMs } = outcome.exchange
    if (fetches.isHeard) fetches.tell({ url, status, code: '', durationMs })
    const wall = this.#parts.walls.wallIn(outcome.exchange)
    const blockedBy = wall?.kind === 'blocked' ? wall.by : undefined
    touch.ended(blockedBy === undefined ? hostEvent(outcome.exchange, clock.now()) : wallEvent)
    return this.#handOn(request, outcome, previous, blockedBy)
  }

  async #handOn(
    request: CrawlRequest,
    fetched: Fetched,
    previous: UrlRecord | undefined,
    blockedBy: string | undefined,
  ): Promise<Visited> {
    const { archive, tell, retryDelaysMs } = this.#parts
    const { rawBody, body: _body, ...exchange } = fetched.exchange
    const hash = payloadHash(fetched.exchange, '')
    const place = await staged('archive', request.url, () => archive.append({ ...exchange, rawBody }, hash, previous))
    const letter: FetchedPage = {
      ...{ crawl: this.#parts.crawl, host: this.#parts.keyOf(request.url), request, exchange, place },
      payloadHash: hash,
      bodyBytes: rawBody.length,
      location: fetched.kind === 'redirected' ? fetched.location : null,
      isBlocked: blockedBy !== undefined,
    }
    tell(letter)
    const follows: WhatFollows =
      blockedBy === undefined
        ? followsAnswer(exchange.status, request.attempts, retryDelaysMs)
        : { kind: 'dead', reason: `blocked: ${blockedBy}` }
    const adds = addsOf(fetched, previous !== undefined, letter.isBlocked)
    return { settled: { url: request.url, ...follows, adds }, release: () => {} }
  }
}

/** What is known without parsing; copies and refused links are counted by whoever parses. */
function addsOf({ kind, exchange }: Fetched, isKnown: boolean, isBlocked: boolean): Sums {
  const { status, headers, body, rawBody } = exchange
  const isParsed =
    status === 200 &&
    !isBlocked &&
    ['html', 'text', 'pdf', 'office'].includes(sniffKind(body, header(headers, 'content-type') ?? ''))
  return {
    requests: 1,
    bytes: rawBody.length,
    ...(isKnown ? {} : { [kind === 'redirected' ? 'redirects' : isParsed ? 'pages' : 'others']: 1 }),
    ...(status >= 400 ? { [`errors.status-${status}`]: 1 } : {}),
    ...(isBlocked ? { 'errors.blocked': 1 } : {}),
  }
}
