import type { NearDuplicates } from '../dedup/near-duplicates.ts'
import { validatorsOf } from '../fetch/conditional.ts'
import { statusHeals } from '../fetch/retry.ts'
import type { Candidate, CrawlRequest, Sums } from '../frontier/frontier.ts'
import { isSearchable, searchDocument } from '../index/search-document.ts'
import type { SearchIndex } from '../index/search-index.ts'
import { staged } from '../monitor/events.ts'
import type { Candidates } from '../reading/candidates.ts'
import { type Counters, count } from '../reading/counters.ts'
import { isProbe } from '../reading/missing-pages.ts'
import type { Answer } from '../reading/reading.ts'
import type { Intervals } from '../schedule/config.ts'
import { comparison, nextVisit } from '../schedule/next-visit.ts'
import type { KeptExchange } from '../store/archive.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { FreshRecord, NextVisit, UrlRecord, VisitEntry, WarcPlace } from '../store/url-record.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import type { Mirrors } from './mirrors.ts'
import { SoftMissing } from './soft-missing.ts'
import { countRecord } from './tally.ts'
import { Turns } from './turns.ts'

export interface KeeperParts {
  readonly records: RecordStore
  readonly nearDuplicates: NearDuplicates
  readonly index: SearchIndex | undefined
  readonly offer: (candidates: readonly Candidate[]) => Promise<void>
  /** For the targets of redirects; those of links come with the reading. */
  readonly candidates: Candidates
  /** Of each page; 0: all. */
  readonly maxLinks: () => number
  /** Whether hosts are asked for a page that cannot exist, where a page says that there is none. Left out: no. */
  readonly asksForMissing?: boolean
  /** How often pages are visited again. Left out: never. */
  readonly recrawl?: Intervals | undefined
  /** Told of every page. Left out: nobody asks for mirrors. */
  readonly mirrors?: Pick<Mirrors, 'saw'>
  /** A seed led to another host: the crawl follows it there. */
  readonly onSeedMoved: (target: CanonicalUrl) => Promise<void>
}

/** An answer to be kept. */
export interface Kept
  extends Pick<Answer, 'location' | 'record' | 'candidates' | 'refused' | 'counts' | 'note'>,
    Partial<Pick<Answer, 'looksMissing' | 'isBlocked'>> {
  readonly exchange: Pick<KeptExchange, 'startedAt' | 'durationMs' | 'status' | 'truncated' | 'headers'>
  /** Of the body as received. */
  readonly bodyBytes: number
  /** It may be visited again, if that helps to tell what it is. Left out: it may not. */
  readonly mayPutOff?: boolean
  /** What was known of a URL that is visited again. */
  readonly previous?: UrlRecord | undefined
  /** Puts the exchange into the archive, where there is one. `original`: a page with the same body. */
  readonly archive: (original: UrlRecord | undefined) => Promise<WarcPlace | null> | null
}

export interface WasKept {
  readonly record: FreshRecord
  /** What the visit adds to the crawl's sums. */
  readonly adds: Sums
  /** Nothing was decided: the URL must be visited again. */
  readonly isPutOff: boolean
}

/** Keeps an answer: a line for each stage, in the order that makes every one of them safe to repeat. */
export class Keeper {
  readonly #parts: KeeperParts
  /** So that of two equal pages that arrive together the second finds the first. */
  readonly #turns = new Turns()
  readonly #missing: SoftMissing

  constructor(parts: KeeperParts) {
    this.#parts = parts
    this.#missing = new SoftMissing(parts.records)
  }

  keep(request: CrawlRequest, given: Kept): Promise<WasKept> {
    const { previous } = given
    if (previous && isTrouble(given)) return this.#tried(request, given, previous)
    if (previous && given.exchange.status === 304) return this.#confirmed(request, given, previous)
    return given.looksMissing && this.#parts.asksForMissing
      ? this.#keepIfJudged(request, given)
      : this.#keepInTurn(request, given)
  }

  async #keepIfJudged(request: CrawlRequest, given: Kept): Promise<WasKept> {
    const judged = await this.#judge(request, given)
    return judged === 'put-off' ? this.#putOff(request, given) : this.#keepInTurn(request, judged)
  }

  #keepInTurn(request: CrawlRequest, given: Kept): Promise<WasKept> {
    const kept = isProbe(request.url) ? noPage(given, 'probe: a page that cannot exist') : given
    const { contentHash } = kept.record
    const act = () => this.#keep(request, kept)
    return contentHash === '' ? act() : this.#turns.take(contentHash, act)
  }

  /** What a host answers to anything is no page. Where that is not known it is asked for, and the page put off. */
  async #judge(request: CrawlRequest, kept: Kept): Promise<Kept | 'put-off'> {
    const missing = await this.#missing.judge(kept.record, !kept.mayPutOff || request.attempts >= maxPutOff)
    switch (missing.kind) {
      case 'content':
        return kept
      case 'missing':
        return noPage(kept, `soft-404: answered like ${missing.probe}`)
      case 'unknown': {
        const { url: parent, depth } = request
        const origin = { parent, band: 'high', depth, redirects: 0 } as const
        await this.#parts.offer([this.#parts.candidates.candidate(missing.probe, undefined, origin)])
        return 'put-off'
      }
      default:
        return missing satisfies never
    }
  }

  async #putOff({ url }: CrawlRequest, kept: Kept): Promise<WasKept> {
    const { exchange, bodyBytes: bytes, record, archive } = kept
    const { startedAt: at, durationMs, status } = exchange
    await archive(undefined)
    await this.#parts.records.put(url, { at, kind: 'other', status, durationMs, bytes, detail: 'soft-404 suspected' })
    return { record, adds: { requests: 1, bytes }, isPutOff: true }
  }

  /** A server in trouble tells nothing of its page: what is known of it stays. */
  async #tried({ url }: CrawlRequest, kept: Kept, previous: UrlRecord): Promise<WasKept> {
    await kept.archive(undefined)
    await this.#parts.records.put(url, { ...visitOf(kept, kept.record), kind: 'other' })
    return { record: previous, adds: addsOf(kept), isPutOff: false }
  }

  /** By the server's own word nothing has changed. */
  async #confirmed(request: CrawlRequest, kept: Kept, previous: UrlRecord): Promise<WasKept> {
    const { url } = request
    await staged('archive', url, () => kept.archive(previous))
    const next = this.#next(request, kept, previous)
    const { next: _before, ...known } = previous
    const record = { ...known, ...(next && { next }) }
    const visit = { ...visitOf(kept, record), detail: 'not modified' }
    await staged('record', url, () => this.#parts.records.put(url, visit, record))
    return { record, adds: countRevisit(addsOf(kept), 'unchanged'), isPutOff: false }
  }

  /** When it is to be visited again. What ends as a retry or a dead letter is not planned, nor is what cannot exist. */
  #next(request: CrawlRequest, kept: Kept, record: FreshRecord): NextVisit | undefined {
    const { recrawl } = this.#parts
    const { exchange, previous } = kept
    if (!recrawl || isTrouble(kept) || isProbe(request.url)) return undefined
    const seen = comparison(previous, record)
    const validators = exchange.status === 304 && previous?.next ? previous.next : validatorsOf(exchange.headers)
    const { etag, lastModified } = validators
    return {
      ...nextVisit(seen, previous?.next, exchange.startedAt, recrawl),
      band: request.priority,
      etag,
      lastModified,
    }
  }

  async #keep(request: CrawlRequest, kept: Kept): Promise<WasKept> {
    const adds = addsOf(kept)
    const { url } = request
    const { previous } = kept
    const compared = await staged('compare', url, () => this.#compare(kept.record))
    const { duplicateOf } = compared
    const original = duplicateOf ? await this.#parts.records.get(duplicateOf) : previous
    const warc = await staged('archive', url, () => kept.archive(original))
    const target = kept.location === null ? null : await this.#target(request, kept.location, adds)
    const met = { ...compared, warc, finalUrl: target?.finalUrl ?? url }
    const next = this.#next(request, kept, met)
    const record = next ? { ...met, next } : met
    const visit = visitOf(kept, record, target?.refusedBy)
    await staged('record', url, () => this.#parts.records.put(url, visit, record))
    await staged('index', url, () => this.#index(record))
    const candidates = target ? (target.candidate ? [target.candidate] : []) : this.#taken(kept.candidates, adds)
    await staged('offer', url, () => this.#offer(candidates))
    for (const rule in kept.refused) count(adds, `refused.${rule}`, kept.refused[rule]!)
    if (previous) countRevisit(adds, comparison(previous, record))
    else countRecord(adds, record, 1)
    if (record.kind === 'page' && !previous) this.#parts.mirrors?.saw(url, duplicateOf)
    return { record, adds, isPutOff: false }
  }

  /** The record, with what the store already has that is equal or nearly equal. */
  async #compare(record: FreshRecord): Promise<FreshRecord> {
    const { records, nearDuplicates } = this.#parts
    const { url, kind, contentHash, simhash } = record
    if (kind !== 'page' || contentHash === '') return record
    const same = await records.findByContent(contentHash, url)
    if (same !== undefined && same !== url) return { ...record, simhash: '', duplicateOf: same }
    const near = simhash === '' ? undefined : await nearDuplicates.findOrAdd(url, simhash)
    return near === undefined || near === url ? record : { ...record, nearDuplicateOf: near }
  }

  /** Where a redirect leads, and whether the crawl goes there. */
  async #target(
    request: CrawlRequest,
    location: string,
    adds: Counters,
  ): Promise<{ finalUrl: string; candidate: Candidate | undefined; refusedBy: string | undefined }> {
    const { candidates, onSeedMoved } = this.#parts
    const refused: Counters = {}
    const target = candidates.canonical(location, refused)
    if (target && request.depth === 0) await onSeedMoved(target)
    const candidate = target && candidates.fromRedirect(request, target, refused)
    for (const [rule, links] of Object.entries(refused)) count(adds, `refused.${rule}`, links)
    return { finalUrl: target ?? location, candidate, refusedBy: Object.keys(refused)[0] }
  }

  #index(record: FreshRecord): Promise<void> | undefined {
    const { index } = this.#parts
    if (!index) return undefined
    if (isSearchable(record) && !record.duplicateOf) return index.put(searchDocument(record))
    return index.remove(record.url, record.fetchedAt)
  }

  #taken(links: readonly Candidate[], adds: Counters): readonly Candidate[] {
    const maxLinks = this.#parts.maxLinks()
    if (maxLinks === 0 || links.length <= maxLinks) return links
    count(adds, 'refused.too-many-links', links.length - maxLinks)
    return links.slice(0, maxLinks)
  }

  #offer(candidates: readonly Candidate[]): Promise<void> | undefined {
    if (candidates.length === 0) return undefined
    return candidates.length <= offersAtOnce ? this.#parts.offer(candidates) : this.#offerMany(candidates)
  }

  async #offerMany(candidates: readonly Candidate[]): Promise<void> {
    for (let at = 0; at < candidates.length; at += offersAtOnce)
      await this.#parts.offer(candidates.slice(at, at + offersAtOnce))
  }
}

/** The server cannot answer, or does not want to: the URL is tried again, or becomes a dead letter. */
const isTrouble = ({ exchange, isBlocked }: Kept) => isBlocked === true || statusHeals(exchange.status)

function addsOf({ bodyBytes, counts, exchange }: Kept): Counters {
  const adds: Counters = { requests: 1, bytes: bodyBytes, ...counts }
  if (exchange.status >= 400) count(adds, `errors.status-${exchange.status}`)
  return adds
}

/** It is no new page, redirect or other answer. */
function countRevisit(adds: Counters, seen: NextVisit['because']): Counters {
  count(adds, 'revisits')
  if (seen === 'unchanged') count(adds, 'unchanged')
  return adds
}

/** Its text stays, so that others can be compared with it; its links lead nowhere. */
function noPage(kept: Kept, note: string): Kept {
  const kind = kept.record.kind === 'page' ? 'other' : kept.record.kind
  return { ...kept, note, record: { ...kept.record, kind, links: [] }, candidates: [] }
}

/** A host that is slow, or waits for its turn, answers the probe late. */
const maxPutOff = 3

/** A sitemap has fifty thousand: others must have a turn. */
const offersAtOnce = 1000

const cuts = {
  bytes: 'cut at the limit of bytes',
  time: 'cut at the limit of time',
  length: 'broke off early',
} as const

function visitOf({ exchange, bodyBytes: bytes, note }: Kept, record: FreshRecord, refusedBy?: string): VisitEntry {
  const { startedAt: at, durationMs, status, truncated } = exchange
  const target = refusedBy === undefined ? record.finalUrl : `${record.finalUrl} (not followed: ${refusedBy})`
  const cut = truncated && cuts[truncated]
  const detail = record.kind === 'redirect' ? target : [note, cut].filter(Boolean).join(', ')
  return { at, kind: record.kind, status, durationMs, bytes, detail }
}
