import type { OpenSearch } from '../../../engines/opensearch/client.ts'
import { EngineRefusedError } from '../../../engines/opensearch/faults.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { DueVisit, Outlook } from '../../record-store.ts'
import type { DueFields } from './record-document.ts'
import { refresh } from './record-walk.ts'

interface DueAnswer {
  readonly hits?: {
    readonly hits?: readonly { readonly _source: { readonly url: CanonicalUrl; readonly due: DueFields } }[]
  }
}

/** What is due, the longest first; all that was flushed before is seen. */
export async function findDue(engine: OpenSearch, alias: string, by: number, limit: number): Promise<DueVisit[]> {
  await refresh(engine, alias)
  const body = await search<DueAnswer>(engine, `${alias}/_search`, 'hits.hits._source', {
    size: limit,
    query: { bool: { filter: [{ range: { 'due.at': { lte: whole(by) } } }] } },
    sort: [{ 'due.at': 'asc' }, { stored: 'asc' }, { key: 'asc' }],
    _source: ['url', 'due'],
    track_total_hits: false,
  })
  return (body.hits?.hits ?? []).map(({ _source: { url, due } }) => {
    const { at: dueAt, band, depth, parent } = due
    return { url, dueAt, band, depth, parent }
  })
}

interface OutlookAnswer {
  readonly aggregations?: {
    readonly planned?: { readonly value: number }
    readonly overdue?: { readonly doc_count: number }
    readonly nextAt?: { readonly value: number | null }
  }
}

export async function outlookIn(engine: OpenSearch, alias: string, now: number): Promise<Outlook> {
  const { aggregations } = await search<OutlookAnswer>(engine, `${alias}/_search`, 'aggregations', {
    size: 0,
    aggs: {
      planned: { value_count: { field: 'due.at' } },
      overdue: { filter: { range: { 'due.at': { lte: whole(now) } } } },
      nextAt: { min: { field: 'due.at' } },
    },
  })
  return {
    planned: aggregations?.planned?.value ?? 0,
    overdue: aggregations?.overdue?.doc_count ?? 0,
    nextAt: aggregations?.nextAt?.value ?? null,
  }
}

const whole = (moment: number) => Math.min(Math.floor(moment), Number.MAX_SAFE_INTEGER)

async function search<Answer>(engine: OpenSearch, path: string, fields: string, query: object): Promise<Answer> {
  const { status, body } = await engine.ask<Answer>({
    method: 'POST',
    path: `/${path}?allow_partial_search_results=false&filter_path=${fields}`,
    body: query,
  })
  if (status !== 200) throw new EngineRefusedError(`ask ${path} what is due`, status, body)
  return body
}
