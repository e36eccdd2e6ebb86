import type { OpenSearch } from '../../../engines/opensearch/client.ts'
import { EngineRefusedError } from '../../../engines/opensearch/faults.ts'
import { type Operation, operation } from '../../../engines/opensearch/operation.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { UrlRecord } from '../../url-record.ts'
import { type RecordDocument, recordFields, recordId, unpackedRecord } from './record-document.ts'

/** Pages whose records were there when it was last refreshed. */
export async function countPages(engine: OpenSearch, alias: string): Promise<number> {
  const { status, body } = await engine.ask<{ readonly count: number }>({
    method: 'POST',
    path: `/${alias}/_count`,
    body: { query: { bool: { filter: [{ term: { kind: 'page' } }] } } },
  })
  if (status !== 200) throw new EngineRefusedError(`count ${alias}`, status, body)
  return body.count
}

/** More copies than this are not made to point elsewhere. */
export const fewCopies = 100

/** A page, with the visit that it is of. */
export interface StoredPage {
  readonly record: UrlRecord
  readonly recordAt: number
}

interface CopiesAnswer {
  readonly hits?: { readonly hits?: readonly { readonly _source: Required<RecordDocument> }[] }
}

/** Pages that are copies of this one, the first stored first; at most one more than `fewCopies`. */
export async function copiesOf(engine: OpenSearch, alias: string, record: UrlRecord): Promise<readonly StoredPage[]> {
  const { url, contentHash, duplicateOf } = record
  if (contentHash === '' || duplicateOf) return []
  const { status, body } = await engine.ask<CopiesAnswer>({
    method: 'POST',
    path: `/${alias}/_search?allow_partial_search_results=false&filter_path=hits.hits._source`,
    body: {
      size: fewCopies + 1,
      query: { bool: { filter: [{ term: { contentHash } }] } },
      sort: [{ stored: 'asc' }, { key: 'asc' }],
      _source: ['packed', 'recordAt'],
      track_total_hits: false,
    },
  })
  if (status !== 200) throw new EngineRefusedError(`search ${alias}`, status, body)
  const pages = (body.hits?.hits ?? []).map(({ _source: { packed, recordAt } }) => ({
    record: unpackedRecord(packed),
    recordAt,
  }))
  return pages.filter((page) => page.record.duplicateOf === url)
}

const ofTheRecord: readonly (keyof RecordDocument)[] = [
  ...(['stored', 'key', 'recordAt', 'host', 'kind', 'status', 'lang'] as const),
  ...(['contentHash', 'fetchedAt', 'packed', 'due'] as const),
]

/** The visits stay. Changes nothing when another visit has brought an answer since. */
const TAKE_BACK = `
  if (ctx._source.recordAt != params.at) { ctx.op = 'none'; return; }
  for (name in params.names) { ctx._source.remove(name); }`.replace(/\n\s+/g, ' ')

export function takeBackOperation(url: CanonicalUrl, recordAt: number): Operation {
  const script = { lang: 'painless', source: TAKE_BACK, params: { at: recordAt, names: ofTheRecord } }
  return operation(url, 'again', { update: { _id: recordId(url), retry_on_conflict: 3 } }, { script })
}

const REPLACE = `
  if (ctx._source.recordAt != params.at) { ctx.op = 'none'; return; }
  ctx._source.putAll(params.r);`.replace(/\n\s+/g, ' ')

/** Says otherwise what is known of the same visit. */
export function replaceOperation({ record, recordAt }: StoredPage): Operation {
  const script = { lang: 'painless', source: REPLACE, params: { at: recordAt, r: recordFields(record) } }
  return operation(record.url, 'again', { update: { _id: recordId(record.url), retry_on_conflict: 3 } }, { script })
}
