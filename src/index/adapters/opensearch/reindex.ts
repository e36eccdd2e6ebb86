import { type Bulk, openBulk } from '../../../engines/opensearch/bulk.ts'
import type { OpenSearch } from '../../../engines/opensearch/client.ts'
import {
  aliasOf,
  createIndex,
  currentIndex,
  dropStrayIndexes,
  moveAlias,
} from '../../../engines/opensearch/versioned-index.ts'
import type { RecordStore } from '../../../store/record-store.ts'
import type { UrlRecord } from '../../../store/url-record.ts'
import { isSearchable, searchDocument } from '../../search-document.ts'
import { putOperation, removeOperation } from './page-operation.ts'
import { pagePlan, pagePlanFor } from './page-plan.ts'

/** Records to build from. Where `since` is missing, all are read again. */
export type ReindexSource = Pick<RecordStore, 'scan'> & {
  since?(fetchedAt: number): AsyncIterable<UrlRecord>
}

/**
 * Builds the search index of a crawl anew from its records, in the layout of this version, while the crawl goes on and the
 * old index answers; then exchanges the two in one step. Killed at any moment, it leaves one of them in place and can be
 * run again. Answers how many pages the new index was given.
 */
export async function reindexPages(engine: OpenSearch, crawl: string, records: ReindexSource): Promise<number> {
  const alias = aliasOf(engine, crawl, pagePlan.kind)
  const building = `${alias}-building`
  await dropStrayIndexes(engine, alias)
  const old = await currentIndex(engine, alias)
  const name = nextName(alias, old?.name)
  await createIndex(engine, name, pagePlanFor(engine.config.shards), building)
  const startedAt = engine.clock.now()
  const pages = await fill(openBulk(engine, { alias: building }), records.scan())
  const caughtUpAt = engine.clock.now()
  await fill(openBulk(engine, { alias: building }), visitedSince(engine, records, startedAt))
  await moveAlias(engine, alias, { from: old?.name, to: name, and: building })
  await fill(openBulk(engine, { alias }), visitedSince(engine, records, caughtUpAt))
  await dropStrayIndexes(engine, alias)
  return pages
}

/** The old index keeps its name until the end, so that each layout has names enough. */
function nextName(alias: string, old: string | undefined): string {
  const built = Number(/-v\d+-(\d+)$/.exec(old ?? '')?.[1] ?? 1)
  return `${alias}-v${pagePlan.version}-${built + 1}`
}

/** What may have been written to the old index alone; a visit can be as old as a worker is patient. */
async function* visitedSince(engine: OpenSearch, records: ReindexSource, moment: number): AsyncIterable<UrlRecord> {
  const fetchedAt = moment - 2 * engine.config.patienceMs
  if (records.since) return yield* records.since(fetchedAt)
  for await (const record of records.scan()) if (record.fetchedAt >= fetchedAt) yield record
}

async function fill(bulk: Bulk, records: AsyncIterable<UrlRecord>): Promise<number> {
  let pages = 0
  for await (const record of records) {
    const isIndexed = isSearchable(record) && record.duplicateOf === null
    if (isIndexed) pages++
    const { url, fetchedAt } = record
    await bulk.add(isIndexed ? putOperation(searchDocument(record), fetchedAt) : removeOperation(url, fetchedAt))
  }
  await bulk.flush()
  return pages
}
