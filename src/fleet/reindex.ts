import { reindexPages } from '../index/adapters/opensearch/reindex.ts'
import { openSearchRecords } from '../store/adapters/opensearch/opensearch-records.ts'
import type { Fleet } from './fleet.ts'

/** Builds the search index of a crawl anew from its records; answers how many pages it was given. */
export async function reindexFrom({ opensearch }: Fleet, crawl: string): Promise<number> {
  await using records = await openSearchRecords(opensearch, crawl)
  return await reindexPages(opensearch, crawl, records)
}
