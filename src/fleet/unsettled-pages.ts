import type { RedisLedger } from '../frontier/adapters/redis/redis-ledger.ts'
import type { UrlEntry } from '../frontier/ledger.ts'
import type { OpenSearchIndex } from '../index/adapters/opensearch/opensearch-index.ts'
import { isSearchable, searchDocument } from '../index/search-document.ts'
import type { OpenSearchRecords } from '../store/adapters/opensearch/opensearch-records.ts'

export interface KeptPages {
  readonly ledger: Pick<RedisLedger, 'sums' | 'urls'>
  readonly records: Pick<OpenSearchRecords, 'countPages' | 'takeBackPages'>
  readonly index: Pick<OpenSearchIndex, 'put' | 'remove' | 'flush'>
}

const urlsAtOnce = 200

/**
 * A page is kept before it is settled; a worker that dies or sleeps past its lease in between leaves one that the crawl
 * does not count, to be replaced by the next visit of its URL. Where a limit has ended the crawl there is none: then it is
 * taken back, so that a crawl of so many pages has as many. Only while nobody makes visits; every worker does it when it
 * ends, some at the same moment. Answers how many there were.
 */
export async function takeBackUnsettled({ ledger, records, index }: KeptPages): Promise<number> {
  const settled = (await ledger.sums()).pages ?? 0
  const excess = (await records.countPages()) - settled
  if (excess <= 0) return 0
  let takenBack = 0
  for await (const some of openUrls(ledger)) {
    const urls = some.map(({ url }) => url)
    // As if the same visit had said so a moment later: what a later one says counts more.
    const { pages, originals } = await records.takeBackPages(urls, async ({ url, fetchedAt }) => {
      await index.remove(url, fetchedAt + 2)
      await index.flush()
    })
    for (const record of originals.filter(isSearchable))
      await index.put({ ...searchDocument(record), fetchedAt: record.fetchedAt + 1 })
    takenBack += pages.length
    if (takenBack >= excess) break
  }
  await index.flush()
  return takenBack
}

/** What waits, or is leased by somebody who is gone; some at a time. */
async function* openUrls(ledger: KeptPages['ledger']): AsyncIterable<readonly UrlEntry[]> {
  let some: UrlEntry[] = []
  for (const state of ['leased', 'queued'] as const)
    for await (const entry of ledger.urls(state)) {
      some.push(entry)
      if (some.length < urlsAtOnce) continue
      yield some
      some = []
    }
  if (some.length > 0) yield some
}
