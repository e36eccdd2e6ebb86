import type { UrlRecord } from '../../store/url-record.ts'
import { type CanonicalUrl, hostnameOf, hostOf, registrableDomain } from '../../url/keys.ts'
import { type Columns, integer, moment, text } from '../parquet-columns.ts'
import type { Table } from './table.ts'

/** A link from a page that was fetched. */
export interface LinkRow {
  readonly source: CanonicalUrl
  readonly fetchedAt: number
  readonly target: CanonicalUrl
  /** Among the links of its page, from 0. */
  readonly position: number
}

const columns: Columns<LinkRow> = {
  source_url: text((link) => link.source),
  source_host: text((link) => hostOf(link.source)),
  source_domain: text((link) => registrableDomain(hostnameOf(link.source))),
  target_url: text((link) => link.target),
  target_host: text((link) => hostOf(link.target)),
  target_domain: text((link) => registrableDomain(hostnameOf(link.target))),
  position: integer((link) => link.position),
  fetched_at: moment((link) => link.fetchedAt),
}

export const linksTable: Table<LinkRow> = {
  name: 'links',
  columns,
  bytes: ({ target }) => 64 + target.length,
}

export function linksOf({ url, fetchedAt, links }: UrlRecord): LinkRow[] {
  return links.map((target, position) => ({ source: url, fetchedAt, target: target as CanonicalUrl, position }))
}
