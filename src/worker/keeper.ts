import type { NearDuplicates } from '../dedup/near-duplicates.ts'
import type { Candidate, CrawlRequest, Sums } from '../frontier/frontier.ts'
import { isSearchable, searchDocument } from '../index/search-document.ts'
import type { SearchIndex } from '../index/search-index.ts'
import { staged } from '../monitor/events.ts'
import type { Candidates } from '../reading/candidates.ts'
import { type Counters, count } from '../reading/counters.ts'
import type { Answer } from '../reading/reading.ts'
import type { KeptExchange } from '../store/archive.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { UrlRecord, VisitEntry, WarcPlace } from '../store/url-record.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { countRecord } from './tally.ts'
import { Turns } from './turns.ts'

export interface KeeperParts {
  readonly records: RecordStore
  readonly nearDuplicates: NearDuplicates
  readonly index: SearchIndex | undefined
  readonly offer: (candidates: readonly Candidate[]) => Promise<void>
  /** For the targets of redirects; those of links come with the reading. */
  readonly candidates: Candidates
  /** A seed led to another host: the crawl follows it there. */
  readonly onSeedMoved: (target: CanonicalUrl) => Promise<void>
}

/** An answer to be kept. */
export interface Kept extends Pick<Answer, 'location' | 'record' | 'candidates' | 'refused' | 'counts' | 'note'> {
  readonly exchange: Pick<KeptExchange, 'startedAt' | 'durationMs' | 'status' | 'truncated'>
  /** Of the body as received. */
  readonly bodyBytes: number
  /** Puts the exchange into the archive, where there is one. `original`: a page with the same body. */
  readonly archive: (original: UrlRecord | undefined) => Promise<WarcPlace | null>
}

/** Keeps an answer: a line for each stage, in the order that makes every one of them safe to repeat. */
export class Keeper {
  readonly #parts: KeeperParts
  /** So that of two equal pages that arrive together the second finds the first. */
  readonly #turns = new Turns()

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /** Answers the record, and what the visit adds to the crawl's sums. */
  async keep(request: CrawlRequest, kept: Kept): Promise<{ record: UrlRecord; adds: Sums }> {
    const { contentHash } = kept.record
    const act = () => this.#keep(request, kept)
    return contentHash === '' ? act() : this.#turns.take(contentHash, act)
  }

  async #keep(request: CrawlRequest, kept: Kept) {
    const adds: Counters = { requests: 1, bytes: kept.bodyBytes }
    const { url } = request
    const compared = await staged('compare', url, () => this.#compare(kept.record))
    const { duplicateOf } = compared
    const original = duplicateOf ? await this.#parts.records.get(duplicateOf) : undefined
    const warc = await staged('archive', url, () => kept.archive(original))
    const target = await this.#target(request, kept, adds)
    const record = { ...compared, warc, finalUrl: target?.finalUrl ?? url }
    await staged('record', url, () => this.#parts.records.put(url, visitOf(kept, record), record))
    await staged('index', url, () => this.#index(record))
    const candidates = target ? (target.candidate ? [target.candidate] : []) : kept.candidates
    await staged('offer', url, () => this.#offer(candidates))
    for (const [name, times] of Object.entries(kept.counts)) count(adds, name, times)
    for (const [rule, links] of Object.entries(kept.refused)) count(adds, `refused.${rule}`, links)
    if (kept.exchange.status >= 400) count(adds, `errors.status-${kept.exchange.status}`)
    countRecord(adds, record, 1)
    return { record, adds }
  }

  /** The record, with what the store already has that is equal or nearly equal. */
  async #compare(record: UrlRecord): Promise<UrlRecord> {
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
    { location }: Kept,
    adds: Counters,
  ): Promise<{ finalUrl: string; candidate: Candidate | undefined } | null> {
    if (location === null) return null
    const { candidates, onSeedMoved } = this.#parts
    const refused: Counters = {}
    const target = candidates.canonical(location, refused)
    if (target && request.depth === 0) await onSeedMoved(target)
    const candidate = target && candidates.fromRedirect(request, target, refused)
    for (const [rule, links] of Object.entries(refused)) count(adds, `refused.${rule}`, links)
    return { finalUrl: target ?? location, candidate }
  }

  async #index(record: UrlRecord): Promise<void> {
    const { index } = this.#parts
    if (!index) return
    if (isSearchable(record) && !record.duplicateOf) await index.put(searchDocument(record))
    else await index.remove(record.url, record.fetchedAt)
  }

  async #offer(candidates: readonly Candidate[]): Promise<void> {
    for (let at = 0; at < candidates.length; at += offersAtOnce)
      await this.#parts.offer(
        at === 0 && candidates.length <= offersAtOnce ? candidates : candidates.slice(at, at + offersAtOnce),
      )
  }
}

/** A sitemap has fifty thousand: others must have a turn. */
const offersAtOnce = 1000

function visitOf({ exchange, bodyBytes: bytes, note }: Kept, record: UrlRecord): VisitEntry {
  const { startedAt: at, durationMs, status, truncated } = exchange
  const detail = record.kind === 'redirect' ? record.finalUrl : [note, truncated].filter(Boolean).join(', ')
  return { at, kind: record.kind, status, durationMs, bytes, detail }
}
