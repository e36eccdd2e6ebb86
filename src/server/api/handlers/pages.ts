import type { CrawlReader } from '../../../crawl-reader.ts'
import { everyKind, selected } from '../../../export/exported-page.ts'
import { Refusal } from '../../../orchestrator/refusal.ts'
import { toUtf8 } from '../../../parse/charset.ts'
import { toMarkdown } from '../../../parse/markdown.ts'
import type { ArchivedResponse } from '../../../store/archive.ts'
import type { UrlRecord } from '../../../store/url-record.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { Handlers } from '../handler.ts'
import { crawlContext, recordIn } from './crawl-context.ts'

type Names =
  | 'getPage'
  | 'getPageRecord'
  | 'getPageText'
  | 'getPageMarkdown'
  | 'getPageRaw'
  | 'getPageHeaders'
  | 'getPageLinks'
  | 'exportRecords'
  | 'search'

const shownVisits = 100

export const pageHandlers: Handlers<Names> = {
  async getPage(desk, { params, query }) {
    const { reader, record } = await recordIn(desk, params.crawl, query.url)
    const { text, links, keywords, ...rest } = record
    const visits = (await reader.records.visits(record.url)).slice(-shownVisits)
    return { ...rest, keywords: [...keywords], textLength: text.length, linkCount: links.length, visits }
  },
  async getPageRecord(desk, { params, query }) {
    return answerOf((await recordIn(desk, params.crawl, query.url)).record)
  },
  async getPageText(desk, { params, query }) {
    const { record } = await recordIn(desk, params.crawl, query.url)
    return record.text
  },
  async getPageMarkdown(desk, { params, query }) {
    const { reader, record } = await recordIn(desk, params.crawl, query.url)
    const { body } = await archived(reader, record)
    return toMarkdown(toUtf8(body, record.contentType).bytes, record.url)
  },
  async getPageRaw(desk, { params, query }) {
    const { reader, record } = await recordIn(desk, params.crawl, query.url)
    const { body } = await archived(reader, record)
    return toUtf8(body, record.contentType).bytes.toString()
  },
  async getPageHeaders(desk, { params, query }) {
    const { reader, record } = await recordIn(desk, params.crawl, query.url)
    const { status, headers } = await archived(reader, record)
    return { status, headers: headers.map(([name, value]) => [name, value] as [string, string]) }
  },
  async getPageLinks(desk, { params, query }) {
    const { reader, record } = await recordIn(desk, params.crawl, query.url)
    const isOut = query.direction === 'out'
    const urls = isOut ? record.links : record.parent === null ? [] : [record.parent]
    const some = urls.slice(query.offset, query.offset + query.limit)
    const links = await Promise.all(some.map(async (url) => ({ url, state: await stateOf(reader, url) })))
    return { total: isOut ? urls.length : null, links }
  },
  async exportRecords(desk, { params, query }) {
    const { reader } = await crawlContext(desk, params.crawl)
    return recordsOf(selected(reader.records.scan(), query.all ? everyKind : undefined))
  },
  async search(desk, { params, query }) {
    const { reader } = await crawlContext(desk, params.crawl)
    const hits = await reader.index.search(query.q, query.limit, query.offset)
    return { hits: [...hits], more: hits.length === query.limit }
  },
}

const answerOf = (record: UrlRecord) => ({ ...record, keywords: [...record.keywords], links: [...record.links] })

async function* recordsOf(records: AsyncIterable<UrlRecord>) {
  for await (const record of records) yield answerOf(record)
}

const stateOf = async ({ ledger }: CrawlReader, url: string) =>
  (await ledger.lookup(url as CanonicalUrl))?.state ?? 'unknown'

async function archived({ archive }: CrawlReader, { url, warc }: UrlRecord): Promise<ArchivedResponse> {
  const response = warc && (await archive.read(warc))
  if (!response) throw new Refusal('not-found', `${url} is not in the archive; its text may be there.`)
  return response
}
