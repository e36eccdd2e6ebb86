import { type Bulk, openBulk } from '../../../engines/opensearch/bulk.ts'
import type { OpenSearch } from '../../../engines/opensearch/client.ts'
import { type Lookup, openLookup } from '../../../engines/opensearch/lookup.ts'
import { aliasOf, ensureIndex } from '../../../engines/opensearch/versioned-index.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { type DueVisit, maxVisits, type Outlook, type RecordStore } from '../../record-store.ts'
import type { FreshRecord, UrlRecord, VisitEntry } from '../../url-record.ts'
import { findSuccessor } from './content-successor.ts'
import { findDue, outlookIn } from './due-visits.ts'
import {
  copiesOf,
  countPages,
  fewCopies,
  replaceOperation,
  type StoredPage,
  takeBackOperation,
} from './pages-taken-back.ts'
import {
  type ContentDocument,
  contentId,
  type PackedVisit,
  type RecordDocument,
  recordId,
  unpackedRecord,
  unpackedVisit,
} from './record-document.ts'
import { recordPlan } from './record-plan.ts'
import { refresh, walkRecords } from './record-walk.ts'
import { claimOperation, putOffOperation, putOperation, recordWrite, succeedOperation } from './record-write.ts'
import { UnflushedWrites } from './unflushed-writes.ts'

/** Records in OpenSearch or Elasticsearch, an index for each crawl; safe from a crash after `flush`. */
export interface OpenSearchRecords extends RecordStore {
  /** Resolves when all that was put before is safe; rejects when the engine was away for too long. */
  flush(): Promise<void>
  /** Every record fetched at that moment or later, in the order of first storing, in bounded memory. */
  since(fetchedAt: number): AsyncIterable<UrlRecord>
  /** How many records are of pages, of all workers; what they have flushed before is counted. */
  countPages(): Promise<number>
  /**
   * Takes back those records of the URLs that are of pages, as if no visit had brought an answer: for pages that were
   * kept and never settled, when nobody visits them any more. The first copy of an original becomes the original; one
   * with very many copies stays. `beforeEach` is done before the record of a page goes, so that what it undoes is found
   * again if it, or its caller, does not survive. Several may take back the same at once.
   */
  takeBackPages(urls: readonly CanonicalUrl[], beforeEach: (page: UrlRecord) => Promise<void>): Promise<TakenBack>
}

export interface TakenBack {
  readonly pages: readonly UrlRecord[]
  /** Copies that are none any more. */
  readonly originals: readonly UrlRecord[]
}

export async function openSearchRecords(engine: OpenSearch, crawl: string): Promise<OpenSearchRecords> {
  const alias = aliasOf(engine, crawl, recordPlan.kind)
  await ensureIndex(engine, alias, recordPlan)
  return new Records(engine, alias)
}

class Records implements OpenSearchRecords {
  readonly #engine: OpenSearch
  readonly #alias: string
  readonly #bulk: Bulk
  readonly #lookup: Lookup
  readonly #unflushed = new UnflushedWrites()
  #lastStored = 0

  constructor(engine: OpenSearch, alias: string) {
    this.#engine = engine
    this.#alias = alias
    this.#bulk = openBulk(engine, { alias, onSettled: (operations) => this.#unflushed.settle(operations) })
    this.#lookup = openLookup(engine, alias)
  }

  async put(url: CanonicalUrl, visit: VisitEntry, record?: FreshRecord): Promise<void> {
    const write = recordWrite(url, visit, record)
    const operation = putOperation(write, this.#nextStored())
    const content = write.fields?.contentHash
    const isClaimed = !content || record?.duplicateOf || this.#unflushed.withContent(content).length > 0
    this.#unflushed.add(operation, write)
    await this.#bulk.add(operation)
    if (!isClaimed) await this.#bulk.add(claimOperation(url, content))
  }

  async get(url: CanonicalUrl): Promise<UrlRecord | undefined> {
    const { packed } = await this.#newest(url, ['packed'])
    return packed === undefined ? undefined : unpackedRecord(packed)
  }

  async visits(url: CanonicalUrl): Promise<readonly VisitEntry[]> {
    const unflushed = this.#unflushed.of(url)
    const known = await this.#lookup.find<RecordDocument>(recordId(url), ['visits'])
    const byMoment = new Map<number, PackedVisit>()
    for (const visit of [...(known?.visits ?? []), ...unflushed.map(({ visit }) => visit)])
      if (!byMoment.has(visit[0])) byMoment.set(visit[0], visit)
    const inOrder = [...byMoment.values()].sort(([a], [b]) => a - b)
    return inOrder.slice(-maxVisits).map(unpackedVisit)
  }

  async *scan(): AsyncIterable<UrlRecord> {
    await this.flush()
    yield* walkRecords(this.#engine, this.#alias)
  }

  async *since(fetchedAt: number): AsyncIterable<UrlRecord> {
    await this.flush()
    yield* walkRecords(this.#engine, this.#alias, [{ range: { fetchedAt: { gte: Math.floor(fetchedAt) } } }])
  }

  async countPages(): Promise<number> {
    await this.flush()
    await refresh(this.#engine, this.#alias)
    return countPages(this.#engine, this.#alias)
  }

  async takeBackPages(
    urls: readonly CanonicalUrl[],
    beforeEach: (page: UrlRecord) => Promise<void>,
  ): Promise<TakenBack> {
    await this.flush()
    const kinds = await Promise.all(urls.map((url) => this.#newest(url, ['kind'])))
    const pages: UrlRecord[] = []
    const originals = new Map<CanonicalUrl, UrlRecord>()
    // Each as it is after those before it: one may be the copy of another.
    for (const url of urls.filter((_, n) => kinds[n]!.kind === 'page')) {
      const { packed, recordAt } = await this.#newest(url, ['packed'])
      if (packed === undefined) continue
      const record = unpackedRecord(packed)
      const copies = await copiesOf(this.#engine, this.#alias, record)
      if (copies.length > fewCopies) continue
      await beforeEach(record)
      await this.#bulk.add(takeBackOperation(url, recordAt!))
      pages.push(record)
      originals.delete(url)
      const successor = await this.#succeed(copies)
      if (successor) originals.set(successor.url, successor)
      await this.flush()
      if (successor) await refresh(this.#engine, this.#alias)
    }
    return { pages, originals: [...originals.values()] }
  }

  /** The first of these copies becomes the original of the others. */
  async #succeed([first, ...others]: readonly StoredPage[]): Promise<UrlRecord | undefined> {
    if (!first) return undefined
    const original = { ...first.record, duplicateOf: null }
    await this.#bulk.add(replaceOperation({ ...first, record: original }))
    await this.#bulk.add(succeedOperation(original.url, original.contentHash))
    for (const { record, recordAt } of others)
      await this.#bulk.add(replaceOperation({ record: { ...record, duplicateOf: original.url }, recordAt }))
    return original
  }

  async findByContent(contentHash: string): Promise<CanonicalUrl | undefined> {
    if (contentHash === '') return undefined
    const unflushed = this.#unflushed.withContent(contentHash)
    const claim = await this.#lookup.find<ContentDocument>(contentId(contentHash), ['owner'])
    for (const url of claim ? [claim.owner, ...unflushed] : unflushed) if (await this.#has(url, contentHash)) return url
    return claim && this.#successor(contentHash)
  }

  async due(by: number, limit: number): Promise<readonly DueVisit[]> {
    await this.flush()
    return findDue(this.#engine, this.#alias, by, limit)
  }

  async putOff(visits: readonly DueVisit[], until: number | null): Promise<void> {
    for (const visit of visits) await this.#bulk.add(putOffOperation(visit, until))
    await this.flush()
  }

  outlook(now: number): Promise<Outlook> {
    return outlookIn(this.#engine, this.#alias, now)
  }

  flush(): Promise<void> {
    return this.#bulk.flush()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.flush()
  }

  /** What is known of a URL once all that was put has arrived. */
  async #newest(url: CanonicalUrl, fields: readonly (keyof RecordDocument)[]): Promise<Partial<RecordDocument>> {
    const unflushed = this.#unflushed.of(url)
    let newest = await this.#lookup.find<Partial<RecordDocument>>(recordId(url), ['recordAt', ...fields])
    for (const { visit, fields } of unflushed)
      if (fields && visit[0] > (newest?.recordAt ?? Number.NEGATIVE_INFINITY))
        newest = { ...fields, recordAt: visit[0] }
    return newest ?? {}
  }

  async #has(url: CanonicalUrl, contentHash: string): Promise<boolean> {
    return (await this.#newest(url, ['contentHash'])).contentHash === contentHash
  }

  /** Who has the content now that its first owner has changed. */
  async #successor(contentHash: string): Promise<CanonicalUrl | undefined> {
    const url = await findSuccessor(this.#engine, this.#alias, contentHash)
    if (url === undefined || !(await this.#has(url, contentHash))) return undefined
    await this.#bulk.add(succeedOperation(url, contentHash))
    return url
  }

  /** Microseconds, of which no two are equal here. */
  #nextStored(): number {
    this.#lastStored = Math.max(this.#lastStored + 1, this.#engine.clock.now() * 1000)
    return this.#lastStored
  }
}
