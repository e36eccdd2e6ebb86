import type { Sums } from '../frontier/frontier.ts'
import { type Counters, count } from '../reading/counters.ts'
import type { FreshRecord } from '../store/url-record.ts'

/** What a crawl has done so far, over all its runs and workers. */
export interface Tally {
  pages: number
  duplicates: number
  nearDuplicates: number
  redirects: number
  /** Answers that are no page: other statuses, other types. */
  others: number
  /** Attempts that brought no answer. */
  failures: number
  requests: number
  /** Bodies as received. */
  bytes: number
  /** Visits to URLs that had been visited before, and those of them that found nothing new. */
  revisits: number
  unchanged: number
  /** Links not offered to the frontier, by the rule that refused them. */
  refused: Counters
  /** Failed attempts and answers with status 400 and above, by code. */
  errors: Counters
  /** URLs that sitemaps and feeds list. */
  found: Counters
}

/** The sums of a crawl's visits, by name: those of `refused`, `errors` and `found` begin with that and a dot. */
export function tallyOf(sums: Sums): Tally {
  const tally: Tally = {
    ...{ pages: 0, duplicates: 0, nearDuplicates: 0, redirects: 0, others: 0, failures: 0, requests: 0, bytes: 0 },
    ...{ revisits: 0, unchanged: 0, refused: {}, errors: {}, found: {} },
  }
  for (const [name, sum] of Object.entries(sums)) {
    const dot = name.indexOf('.')
    if (dot >= 0) tally[name.slice(0, dot) as 'refused' | 'errors' | 'found'][name.slice(dot + 1)] = sum
    else tally[name as 'pages'] = sum
  }
  return tally
}

/** `by` -1: it is forgotten, and will be counted again. */
export function countRecord(adds: Counters, { kind, duplicateOf, nearDuplicateOf }: FreshRecord, by: 1 | -1): void {
  count(adds, kind === 'page' ? 'pages' : kind === 'redirect' ? 'redirects' : 'others', by)
  if (duplicateOf) count(adds, 'duplicates', by)
  if (nearDuplicateOf) count(adds, 'nearDuplicates', by)
}
