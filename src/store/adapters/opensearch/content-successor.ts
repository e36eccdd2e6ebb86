import type { OpenSearch } from '../../../engines/opensearch/client.ts'
import { EngineRefusedError } from '../../../engines/opensearch/faults.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { refresh } from './record-walk.ts'

interface SuccessorAnswer {
  readonly hits?: { readonly hits?: readonly { readonly _source: { readonly url: CanonicalUrl } }[] }
}

/** The first stored of the pages that have this content at the moment. A search, so only for what an id does not answer. */
export async function findSuccessor(
  engine: OpenSearch,
  alias: string,
  contentHash: string,
): Promise<CanonicalUrl | undefined> {
  await refresh(engine, alias)
  const { status, body } = await engine.ask<SuccessorAnswer>({
    method: 'POST',
    path: `/${alias}/_search?allow_partial_search_results=false&filter_path=hits.hits._source`,
    body: {
      size: 1,
      query: { bool: { filter: [{ term: { contentHash } }] } },
      sort: [{ stored: 'asc' }, { key: 'asc' }],
      _source: ['url'],
      track_total_hits: false,
    },
  })
  if (status !== 200) throw new EngineRefusedError(`search ${alias}`, status, body)
  return body.hits?.hits?.[0]?._source.url
}
