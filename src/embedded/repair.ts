import { addToSums } from '../frontier/adapters/embedded/kept-sums.ts'
import { requeue } from '../frontier/adapters/embedded/requeue.ts'
import type { SearchIndex } from '../index/search-index.ts'
import type { Counters } from '../reading/counters.ts'
import type { EmbeddedRecords } from '../store/adapters/embedded/embedded-records.ts'
import type { LostRange } from '../store/adapters/files/catalog.ts'
import type { Facts } from '../store/facts.ts'
import type { UrlRecord } from '../store/url-record.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { countRecord } from '../worker/tally.ts'
import type { Database } from './database.ts'

export interface RepairParts {
  readonly database: Database
  readonly facts: Facts
  readonly fingerprint: (url: string) => number
  readonly records: EmbeddedRecords
  readonly index: SearchIndex
}

/**
 * Makes every URL due again whose archived bytes are lost, as if it had never been visited, and answers what was known of
 * them. A copy keeps no bytes of its own, so it goes with its original. All of it joins the current group of writes.
 */
export async function repair(lost: readonly LostRange[], parts: RepairParts): Promise<readonly UrlRecord[]> {
  const { database, facts, fingerprint, records, index } = parts
  const forgotten = new Map<CanonicalUrl, UrlRecord>()
  for await (const record of damaged(lost, records)) forgotten.set(record.url, record)
  for (const url of forgotten.keys()) {
    records.forget(url)
    await index.remove(url)
    requeue(database, facts, fingerprint, url)
  }
  const lessened: Counters = {}
  for (const record of forgotten.values()) countRecord(lessened, record, -1)
  addToSums(facts, lessened)
  return [...forgotten.values()]
}

async function* damaged(lost: readonly LostRange[], records: EmbeddedRecords): AsyncIterable<UrlRecord> {
  for (const { file, fromOffset } of lost)
    for (const url of records.placedFrom(file, fromOffset)) {
      const record = (await records.get(url))!
      yield record
      if (record.kind === 'page') yield* copiesOf(record, records)
    }
}

async function* copiesOf(original: UrlRecord, records: EmbeddedRecords): AsyncIterable<UrlRecord> {
  for (const url of records.withContent(original.contentHash)) {
    const record = await records.get(url)
    if (record?.duplicateOf) yield record
  }
}
