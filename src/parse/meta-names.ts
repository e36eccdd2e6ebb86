import { NameTable } from './names.ts'

/** Where dates of publication are written, best first. */
export const DATE_NAMES = [
  'article:published_time',
  'og:published_time',
  'og:article:published_time',
  'datepublished',
  'article:published',
  'parsely-pub-date',
  'sailthru.date',
  'citation_publication_date',
  'citation_date',
  'dc.date.issued',
  'dcterms.issued',
  'dc.date',
  'dcterms.date',
  'dc.date.created',
  'dcterms.created',
  'publish-date',
  'publish_date',
  'publication_date',
  'pubdate',
  'date',
]

/** Names whose first content is kept. */
export const KEPT_NAMES = new Set([
  ...DATE_NAMES,
  'description',
  'keywords',
  'news_keywords',
  'dc.description',
  'twitter:title',
  'twitter:description',
  'language',
])

/** Open Graph that stands in for what a page does not say otherwise. */
export const OPEN_GRAPH_READ = new Set(['og:title', 'og:description', 'og:locale'])

/** Names of directives. */
export const ROBOTS_NAMES = new Set(['robots', 'orbweaver'])

/** All of the above. */
export const metaTable = new NameTable(['', ...KEPT_NAMES, ...OPEN_GRAPH_READ, ...ROBOTS_NAMES])

const AMPERSAND = 0x26
const SPACE = 0x20

/**
 * Which of the names above a `meta` bears; `''`: none. Most bear none, which is seen without making a string of it.
 * `undefined`: it is not written plainly, so that it must be decoded first.
 */
export function metaNameBetween(bytes: Uint8Array, start: number, end: number): string | undefined {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte <= SPACE || byte >= 0x80 || byte === AMPERSAND) return undefined
  }
  return metaTable.names[metaTable.find(bytes, start, end)]
}
