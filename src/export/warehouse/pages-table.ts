import type { UrlRecord } from '../../store/url-record.ts'
import { hostnameOf, hostOf, registrableDomain } from '../../url/keys.ts'
import { type Columns, integer, long, moment, text, texts, yesOrNo } from '../parquet-columns.ts'
import type { Table } from './table.ts'

/** What is unknown is NULL, as a warehouse expects it, where a record has an empty text. */
const known = (value: string) => (value === '' ? null : value)

const columns: Columns<UrlRecord> = {
  url: text((page) => page.url),
  host: text((page) => hostOf(page.url)),
  domain: text((page) => registrableDomain(hostnameOf(page.url))),
  kind: text((page) => page.kind),
  status: integer((page) => page.status),
  fetched_at: moment((page) => page.fetchedAt),
  final_url: text((page) => page.finalUrl),
  content_type: text((page) => known(page.contentType)),
  title: text((page) => known(page.title)),
  description: text((page) => known(page.description)),
  keywords: texts((page) => page.keywords),
  lang: text((page) => known(page.lang)),
  canonical: text((page) => known(page.canonical)),
  published_at: moment((page) => known(page.publishedAt)),
  text: text((page) => (page.noindex ? null : known(page.text))),
  noindex: yesOrNo((page) => page.noindex),
  content_hash: text((page) => known(page.contentHash)),
  simhash: text((page) => known(page.simhash)),
  duplicate_of: text((page) => page.duplicateOf),
  near_duplicate_of: text((page) => page.nearDuplicateOf),
  depth: integer((page) => page.depth),
  parent: text((page) => page.parent),
  link_count: integer((page) => page.links.length),
  warc_file: text((page) => page.warc?.file ?? null),
  warc_offset: long((page) => page.warc?.offset ?? null),
  warc_length: long((page) => page.warc?.length ?? null),
}

/** A row for each page. Its links are rows of the other table. */
export const pagesTable: Table<UrlRecord> = {
  name: 'pages',
  columns,
  bytes: (page) => 1024 + page.text.length + page.title.length + page.description.length + linkBytes(page),
}

// The record is held as it is, and its links with it.
const linkBytes = ({ links }: UrlRecord) => links.reduce((sum, link) => sum + link.length + 16, 0)
