import { type Operation, operation } from '../../../engines/opensearch/operation.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { type DueVisit, maxVisits } from '../../record-store.ts'
import type { FreshRecord, VisitEntry } from '../../url-record.ts'
import {
  contentId,
  keyOf,
  type PackedVisit,
  packedVisit,
  type RecordFields,
  recordFields,
  recordId,
} from './record-document.ts'

/** A visit on its way to the engine, with what it brought. */
export interface RecordWrite {
  readonly url: CanonicalUrl
  readonly visit: PackedVisit
  readonly fields: RecordFields | undefined
}

/**
 * Adds a visit and, when it brought an answer, replaces the record, in one step of the engine. Changes nothing when the
 * visit is known already, or older than all of a full history. A record is replaced only by that of a later visit, so that
 * the order in which writes arrive makes no difference.
 */
const SCRIPT = `
  def s = ctx._source; def v = params.v;
  if (s.visits == null) { s.url = params.url; s.visits = new ArrayList(); }
  int i = s.visits.size();
  while (i > 0 && s.visits[i - 1][0] > v[0]) { i--; }
  if (i > 0 ? s.visits[i - 1][0] == v[0] : s.visits.size() >= ${maxVisits}) { ctx.op = 'none'; return; }
  s.visits.add(i, v);
  if (s.visits.size() > ${maxVisits}) { s.visits.remove(0); }
  if (params.r != null && (s.recordAt == null || v[0] > s.recordAt)) {
    if (s.stored == null) { s.stored = params.stored; s.key = params.key; }
    s.recordAt = v[0];
    s.putAll(params.r);
  }`.replace(/\n\s+/g, ' ')

export function recordWrite(url: CanonicalUrl, visit: VisitEntry, record: FreshRecord | undefined): RecordWrite {
  return { url, visit: packedVisit(visit), fields: record && recordFields(record) }
}

/** `stored`: its place in the order of first storing, if this is the first. */
export function putOperation({ url, visit, fields }: RecordWrite, stored: number): Operation {
  const id = recordId(url)
  const params = { url, v: visit, r: fields ?? null, stored, key: keyOf(id) }
  const source = { scripted_upsert: true, upsert: {}, script: { lang: 'painless', source: SCRIPT, params } }
  return operation(url, 'again', { update: { _id: id, retry_on_conflict: 3 } }, source)
}

/** The first stored page with this content stays the one that others are copies of. */
export function claimOperation(url: CanonicalUrl, contentHash: string): Operation {
  return operation(url, 'done', { create: { _id: contentId(contentHash) } }, { owner: url })
}

/** For a content whose first owner has changed since. */
export function succeedOperation(url: CanonicalUrl, contentHash: string): Operation {
  return operation(url, 'done', { index: { _id: contentId(contentHash) } }, { owner: url })
}

const PUT_OFF = `
  if (ctx._source.due == null || ctx._source.due.at != params.from) { ctx.op = 'none'; return; }
  if (params.until == null) { ctx._source.due = null; } else { ctx._source.due.at = params.until; }`.replace(
  /\n\s+/g,
  ' ',
)

/** Changes nothing when another visit has planned the next one since. */
export function putOffOperation({ url, dueAt }: DueVisit, until: number | null): Operation {
  const script = { lang: 'painless', source: PUT_OFF, params: { from: dueAt, until } }
  return operation(url, 'again', { update: { _id: recordId(url), retry_on_conflict: 3 } }, { script })
}
