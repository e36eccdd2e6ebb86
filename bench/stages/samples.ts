import { gzipSync } from 'node:zlib'
import { contentHash, payloadHash } from '../../src/dedup/content-hash.ts'
import { simhash } from '../../src/dedup/simhash.ts'
import type { Exchange } from '../../src/fetch/outcome.ts'
import type { SearchDocument } from '../../src/index/search-index.ts'
import { parseConfig } from '../../src/parse/config.ts'
import type { Page } from '../../src/parse/page.ts'
import { parsePage } from '../../src/parse/parse-page.ts'
import type { UrlRecord } from '../../src/store/url-record.ts'
import { canonicalRules, canonicalUrl } from '../../src/url/canonical.ts'
import { urlConfig } from '../../src/url/config.ts'
import { type CanonicalUrl, hostOf } from '../../src/url/keys.ts'
import { readCorpus } from '../site/corpus.ts'
import { inventedPages } from '../site/invented.ts'

/** A real page with what each stage is given of it. */
export interface Sample {
  readonly body: Buffer
  readonly page: Page
  readonly exchange: Exchange
  readonly payloadHash: string
  readonly record: UrlRecord
  readonly document: SearchDocument
}

const RULES = canonicalRules(urlConfig.parse({}))

const HEADERS = [
  ['Date', 'Fri, 31 Jan 2025 12:30:15 GMT'],
  ['Content-Type', 'text/html; charset=utf-8'],
  ['Content-Encoding', 'gzip'],
  ['Transfer-Encoding', 'chunked'],
  ['Connection', 'keep-alive'],
  ['Vary', 'Accept-Encoding'],
  ['Cache-Control', 'max-age=60, public'],
  ['ETag', '"5f3c-62d0a1b2c3d4e"'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
] as const

const REQUEST_HEADERS = [
  ['Host', 'example.com'],
  ['User-Agent', 'orbweaver/1.0 (+https://example.org/bot)'],
  ['Accept', 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'],
  ['Accept-Encoding', 'gzip, br, zstd'],
  ['Accept-Language', 'en;q=0.9, *;q=0.5'],
] as const

/** The pages of which the benchmark's site is made: those of a folder, or invented ones. */
export function loadSamples(folder: string | undefined): readonly Sample[] {
  const pages = folder === undefined ? inventedPages() : readCorpus(folder)
  return Array.from(pages, (html, serial) => sampleOf(Buffer.from(html), serial))
}

export function sampleOf(body: Buffer, serial: number): Sample {
  const url = `https://example.com/news/${serial}/a-page-of-the-corpus` as CanonicalUrl
  const page = parsePage(body, { url, contentType: 'text/html; charset=utf-8', config: parseConfig.parse({}) })
  const exchange = exchangeOf(url, body)
  const record = recordOf(url, exchange, page)
  return {
    body,
    page,
    record,
    exchange,
    payloadHash: payloadHash(exchange, record.contentHash),
    document: documentOf(url, page),
  }
}

function exchangeOf(url: CanonicalUrl, body: Buffer): Exchange {
  return {
    url,
    method: 'GET',
    startedAt: Date.UTC(2025, 0, 31, 12, 30, 15),
    durationMs: 80,
    address: '192.0.2.7',
    protocol: 'http/1.1',
    requestHeaders: REQUEST_HEADERS,
    status: 200,
    statusText: 'OK',
    headers: HEADERS,
    rawBody: gzipSync(body),
    body,
    truncated: null,
  }
}

function recordOf(url: CanonicalUrl, exchange: Exchange, page: Page): UrlRecord {
  const { title, description, keywords, lang, canonical, publishedAt, text } = page
  return {
    url,
    finalUrl: url,
    kind: 'page',
    status: 200,
    contentType: 'text/html; charset=utf-8',
    title,
    description,
    keywords,
    lang,
    canonical,
    publishedAt,
    noindex: false,
    text,
    links: linksOf(page),
    contentHash: contentHash(exchange),
    simhash: simhash(text),
    duplicateOf: null,
    nearDuplicateOf: null,
    depth: 3,
    parent: 'https://example.com/news/' as CanonicalUrl,
    fetchedAt: Date.UTC(2025, 0, 31, 12, 30, 15),
    warc: { file: '2025-01-31/orbweaver-20250131120000-00001.warc.gz', offset: 123_456, length: 20_000 },
  }
}

function documentOf(url: CanonicalUrl, { title, description, text, lang }: Page): SearchDocument {
  return { url, host: hostOf(url), title, description, text, lang, date: Date.UTC(2025, 0, 31) }
}

function linksOf(page: Page): readonly string[] {
  const urls = new Set<string>()
  for (const link of page.links) {
    const { url } = canonicalUrl(link.url, undefined, RULES)
    if (url) urls.add(url)
  }
  return [...urls]
}

/** The same page under a URL that no other round has used, so that a store sees a new one each time. */
export function renamed(
  sample: Sample,
  serial: number,
): { readonly record: UrlRecord; readonly document: SearchDocument } {
  const url = `${sample.record.url}?v=${serial}` as CanonicalUrl
  return { record: { ...sample.record, url, finalUrl: url }, document: { ...sample.document, url } }
}
