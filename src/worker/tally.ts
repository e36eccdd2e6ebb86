import type { Counters } from '../reading/counters.ts'
import type { Facts } from '../store/facts.ts'
import type { UrlRecord } from '../store/url-record.ts'

/** What a crawl has done so far, over all its runs. */
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
  /** Links not offered to the frontier, by the rule that refused them. */
  refused: Counters
  /** Failed attempts and answers with status 400 and above, by code. */
  errors: Counters
}

export function emptyTally(): Tally {
  return {
    ...{ pages: 0, duplicates: 0, nearDuplicates: 0, redirects: 0, others: 0, failures: 0, requests: 0, bytes: 0 },
    ...{ refused: {}, errors: {} },
  }
}

export function readTally(facts: Facts): Tally {
  return { ...emptyTally(), ...(JSON.parse(facts.get('tally') ?? '{}') as Partial<Tally>) }
}

/** `by` -1: it is forgotten, and will be counted again. */
export function countRecord(tally: Tally, { kind, duplicateOf, nearDuplicateOf }: UrlRecord, by: 1 | -1): void {
  if (kind === 'page') tally.pages += by
  else if (kind === 'redirect') tally.redirects += by
  else tally.others += by
  if (duplicateOf) tally.duplicates += by
  if (nearDuplicateOf) tally.nearDuplicates += by
}
