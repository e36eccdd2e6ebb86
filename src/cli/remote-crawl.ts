import { UsageError } from '../config/usage-error.ts'
import type { CrawlReader } from '../crawl-reader.ts'
import { header } from '../fetch/outcome.ts'
import type { Sums } from '../frontier/frontier.ts'
import type { DeadFilter, HostEntry, Ledger, UrlEntry } from '../frontier/ledger.ts'
import type { SearchHit } from '../index/search-index.ts'
import type { Crawl } from '../server/api/schemas/crawl.ts'
import { maxHits, maxLimit, maxOffset } from '../server/api/schemas/paging.ts'
import type { Client } from '../server/client.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { UrlRecord, WarcPlace } from '../store/url-record.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { ifThere } from './server-client.ts'

/** A crawl of a server, for reading through its API. */
export async function openRemoteCrawl(client: Client, crawl: string): Promise<CrawlReader> {
  const params = { crawl }
  const { seeds, settings: config, createdAt } = await client.getCrawl({ params })
  /** A place in the archive is asked for by the URL whose record told of it. */
  const urlsByPlace = new WeakMap<WarcPlace, CanonicalUrl>()
  return {
    orders: { seeds, config, createdAt: new Date(createdAt).toISOString() },
    ledger: remoteLedger(client, params),
    records: remoteRecords(client, params, urlsByPlace),
    index: {
      put: tooMuch,
      remove: tooMuch,
      search: (q, limit, offset = 0) =>
        inPages(limit, maxHits, async (query) => {
          const { hits, more } = await client.search({ params, query: { q, ...query, offset: query.offset + offset } })
          return { items: hits as unknown as SearchHit[], more }
        }),
      async [Symbol.asyncDispose]() {},
    },
    archive: {
      async read(place) {
        const url = urlsByPlace.get(place)
        if (url === undefined) return undefined
        const [headers, source] = await Promise.all([
          ifThere(client.getPageHeaders({ params, query: { url } })),
          ifThere(client.getPageRaw({ params, query: { url } })),
        ])
        if (!headers || source === undefined) return undefined
        const body = utf8Body(source, header(headers.headers, 'content-type') ?? '')
        // The server has decoded it: how it was sent nobody here asks.
        return { url, fetchedAt: 0, ...headers, rawBody: body, body }
      },
    },
    // The server tells it with each host.
    robots: { get: async () => undefined },
    widened: { each() {} },
    state: async () => (await client.getCrawl({ params })).state,
    async [Symbol.asyncDispose]() {},
  }
}

/** It comes as UTF-8, whatever it was: where its type says otherwise, the mark tells who decodes it. */
function utf8Body(source: string, contentType: string): Buffer {
  return Buffer.from(/charset="?utf-?8/i.test(contentType) ? source : `\uFEFF${source}`)
}

type Params = { readonly crawl: string }

function remoteLedger(client: Client, params: Params): Ledger {
  return {
    lookup: async (url) =>
      ((await client.explainUrl({ params, query: { url } })).entry ?? undefined) as UrlEntry | undefined,
    counts: async () => (await client.getCrawl({ params })).counts,
    sums: async () => sumsOf((await client.getCrawl({ params })).tally),
    hosts: (limit) =>
      inPages(limit, maxLimit, async (query) => {
        const { hosts, total } = await client.listHosts({ params, query })
        return { items: hosts as unknown as HostEntry[], more: query.offset + hosts.length < total }
      }),
    host: async (host) => (await ifThere(client.getHost({ params: { ...params, host } }))) as never,
    findHosts: async (query) => (await client.listHosts({ params, query })) as never,
    urls: tooMuchToWalk,
    dead: (filter, limit = Number.POSITIVE_INFINITY) => deadLetters(client, params, filter, limit),
    retryDead: async (filter) => (await client.retryDeadLetters({ params, body: selectionOf(filter) })).changed,
    dropDead: async (filter) => (await client.dropDeadLetters({ params, body: selectionOf(filter) })).changed,
    async [Symbol.asyncDispose]() {},
  }
}

function remoteRecords(client: Client, params: Params, urlsByPlace: WeakMap<WarcPlace, CanonicalUrl>): RecordStore {
  return {
    async get(url) {
      const record = (await ifThere(client.getPageRecord({ params, query: { url } }))) as UrlRecord | undefined
      if (record?.warc) urlsByPlace.set(record.warc, record.url)
      return record
    },
    visits: async (url) => (await ifThere(client.getPage({ params, query: { url } })))?.visits ?? [],
    put: tooMuch,
    findByContent: tooMuch,
    scan: () => records(client, params, urlsByPlace),
    due: tooMuch,
    putOff: tooMuch,
    outlook: async () => (await client.getCrawl({ params })).outlook ?? { planned: 0, overdue: 0, nextAt: null },
    async [Symbol.asyncDispose]() {},
  }
}

/** As many as are wanted, of what a server gives some at a time. */
async function inPages<Item>(
  limit: number,
  most: number,
  ask: (query: { limit: number; offset: number }) => Promise<{ items: readonly Item[]; more: boolean }>,
): Promise<Item[]> {
  const found: Item[] = []
  while (found.length < limit && found.length <= maxOffset) {
    const { items, more } = await ask({ limit: Math.min(most, limit - found.length), offset: found.length })
    found.push(...items)
    if (!more || items.length === 0) break
  }
  return found
}

/** All of them: whoever wants pages alone chooses. */
async function* records(
  client: Client,
  params: Params,
  urlsByPlace: WeakMap<WarcPlace, CanonicalUrl>,
): AsyncIterable<UrlRecord> {
  for await (const record of (await client.exportRecords({
    params,
    query: { all: true },
  })) as AsyncIterable<UrlRecord>) {
    if (record.warc) urlsByPlace.set(record.warc, record.url)
    yield record
  }
}

async function* deadLetters(client: Client, params: Params, filter: DeadFilter, most: number): AsyncIterable<UrlEntry> {
  const { urls: _named, ...query } = filter
  for (let offset = 0; offset < Math.min(most, maxOffset); offset += maxLimit) {
    const limit = Math.min(maxLimit, most - offset)
    const { letters, more } = await client.listDeadLetters({ params, query: { ...query, limit, offset } })
    yield* letters as unknown as UrlEntry[]
    if (!more) return
  }
}

function selectionOf({ urls, ...filter }: DeadFilter) {
  const isAll = urls === undefined && Object.keys(filter).length === 0
  return { ...filter, ...(urls ? { urls: [...urls] } : {}), ...(isAll ? { all: true as const } : {}) }
}

/** The other way round than `tallyOf`. */
function sumsOf({ refused, errors, found, ...counters }: Crawl['tally']): Sums {
  const sums: Record<string, number> = { ...counters }
  for (const [group, counts] of Object.entries({ refused, errors, found }))
    for (const [name, count] of Object.entries(counts)) sums[`${group}.${name}`] = count
  return sums
}

async function tooMuch(): Promise<never> {
  throw new UsageError('This cannot be done through a server: name the folder (--out) or the engines (--config).')
}

function tooMuchToWalk(): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: tooMuch }) }
}
