import type { OpenSearch } from '../../../engines/opensearch/client.ts'
import { EngineRefusedError } from '../../../engines/opensearch/faults.ts'
import type { UrlRecord } from '../../url-record.ts'
import { unpackedRecord } from './record-document.ts'

const PAGE_RECORDS = 64

interface WalkAnswer {
  readonly hits: {
    readonly hits: readonly { readonly _source: { readonly packed: string }; readonly sort: unknown[] }[]
  }
}

/**
 * Records in the order of first storing. A record's place in it never changes, so that each search goes on where the last
 * one ended, and nothing has to be held open in the engine between them. While a shard is away it waits.
 */
export async function* walkRecords(
  engine: OpenSearch,
  alias: string,
  filters: readonly object[] = [],
): AsyncIterable<UrlRecord> {
  await refresh(engine, alias)
  for (let after: unknown[] | undefined; ; ) {
    const { status, body } = await engine.ask<WalkAnswer>({
      method: 'POST',
      path: `/${alias}/_search?allow_partial_search_results=false&filter_path=hits.hits._source,hits.hits.sort`,
      body: {
        size: PAGE_RECORDS,
        query: { bool: { filter: [{ exists: { field: 'stored' } }, ...filters] } },
        sort: [{ stored: 'asc' }, { key: 'asc' }],
        _source: ['packed'],
        track_total_hits: false,
        ...(after ? { search_after: after } : {}),
      },
    })
    if (status !== 200) throw new EngineRefusedError(`read ${alias}`, status, body)
    const hits = body.hits?.hits ?? []
    for (const { _source } of hits) yield unpackedRecord(_source.packed)
    if (hits.length < PAGE_RECORDS) return
    after = hits.at(-1)!.sort
  }
}

/** Makes searches see all that was written before. */
export async function refresh(engine: OpenSearch, alias: string): Promise<void> {
  const { status, body } = await engine.ask({ method: 'POST', path: `/${alias}/_refresh` })
  if (status !== 200) throw new EngineRefusedError(`refresh ${alias}`, status, body)
}
