import type { OpenSearch } from '../../../engines/opensearch/client.ts'
import { EngineRefusedError } from '../../../engines/opensearch/faults.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { SearchQuery } from '../../query.ts'
import { routingFor, searchBody } from './search-body.ts'

export interface FoundPage {
  readonly url: CanonicalUrl
  readonly title: string
  readonly score: number
}

interface SearchAnswer {
  readonly hits?: { readonly hits?: readonly Hit[] }
}

interface Hit {
  readonly _source: { readonly url: CanonicalUrl; readonly title: string }
  readonly _score?: number | null
  readonly sort: readonly unknown[]
}

/** A person waits: not as long as a crawl would. */
const PATIENCE_MS = 10_000
const HITS_AT_ONCE = 1000
/** An engine counts no further; beyond, each request goes on where the last one ended. */
const MAX_FROM = 9000

export async function foundPages(
  engine: OpenSearch,
  alias: string,
  query: SearchQuery,
  limit: number,
  offset: number,
): Promise<FoundPage[]> {
  const found: FoundPage[] = []
  const from = Math.min(offset, MAX_FROM)
  let skipped = from
  for (let after: readonly unknown[] | undefined; found.length < limit; ) {
    const size = Math.min(HITS_AT_ONCE, limit + offset - skipped - found.length)
    const hits = await search(engine, alias, query, { size, ...(after ? { search_after: after } : { from }) })
    const wanted = hits.slice(Math.min(offset - skipped, hits.length))
    skipped += hits.length - wanted.length
    for (const { _source, _score } of wanted) found.push({ ..._source, score: _score ?? 0 })
    if (hits.length < size) break
    after = hits.at(-1)!.sort
  }
  return found
}

async function search(engine: OpenSearch, alias: string, query: SearchQuery, page: object): Promise<readonly Hit[]> {
  const routing = routingFor(query)
  const parameters = `filter_path=hits.hits${routing === undefined ? '' : `&routing=${encodeURIComponent(routing)}`}`
  const { status, body } = await engine.ask<SearchAnswer>({
    method: 'POST',
    path: `/${alias}/_search?${parameters}`,
    body: { ...searchBody(query), ...page },
    patienceMs: Math.min(PATIENCE_MS, engine.config.patienceMs),
  })
  if (status !== 200) throw new EngineRefusedError(`search ${alias}`, status, body)
  return body.hits?.hits ?? []
}
