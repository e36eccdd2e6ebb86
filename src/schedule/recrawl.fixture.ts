import { hash } from 'node:crypto'
import { configSchema } from '../config/schema.ts'
import type { Database } from '../embedded/database.ts'
import { openDatabase } from '../embedded/database.ts'
import { frontierOn } from '../frontier/adapters/embedded/test-frontier.ts'
import type { CrawlRequest, Frontier } from '../frontier/frontier.ts'
import { Candidates, candidateRules } from '../reading/candidates.ts'
import { embeddedRecords } from '../store/adapters/embedded/embedded-records.ts'
import type { RecordStore } from '../store/record-store.ts'
import { blankRecord } from '../store/url-record.fixture.ts'
import type { UrlRecord } from '../store/url-record.ts'
import { type CanonicalUrl, hostKeyOf } from '../url/keys.ts'
import { makeScope } from '../url/scope.ts'
import { Keeper } from '../worker/keeper.ts'
import type { Intervals } from './config.ts'
import type { RecrawlParts } from './recrawl.ts'

/** What a page shows at a moment; `null`: it is gone. */
export type Site = (url: CanonicalUrl, now: number) => string | null

/** For tests: a crawl whose web and time are made up, and all between is real. */
export interface TimelessCrawl extends RecrawlParts, Disposable {
  readonly frontier: Frontier
  readonly records: RecordStore
  readonly time: { now: number }
  /** Visits of each URL so far. */
  readonly visits: Map<CanonicalUrl, number>
  offer(urls: readonly CanonicalUrl[]): Promise<void>
  /** Visits all that may be visited, at once and as polite as the frontier says. */
  visitAll(): Promise<void>
}

export function timelessCrawl(
  intervals: Intervals,
  site: Site,
  database: Database = openDatabase(':memory:'),
): TimelessCrawl {
  const time = { now: 1_700_000_000_000 }
  const clock = { now: () => time.now, sleep: async () => {} }
  const fingerprint = (text: string) => Number.parseInt(hash('sha256', text).slice(0, 12), 16)
  const records = embeddedRecords(database, fingerprint)
  const frontier = frontierOn(database, fingerprint, clock)
  const keyOf = (url: CanonicalUrl) => hostKeyOf(url, 'host')
  const visits = new Map<CanonicalUrl, number>()
  const config = configSchema.parse({})
  const keeper = new Keeper({
    ...{ records, recrawl: intervals, index: undefined, maxLinks: () => 0 },
    nearDuplicates: { findOrAdd: async (url: CanonicalUrl) => url, [Symbol.asyncDispose]: async () => {} },
    candidates: new Candidates(candidateRules(config, makeScope({ ...config.url, seeds: [] })), clock),
    offer: async () => {},
    onSeedMoved: async () => {},
  })

  async function visit(request: CrawlRequest): Promise<void> {
    const { url } = request
    visits.set(url, (visits.get(url) ?? 0) + 1)
    const text = site(url, time.now)
    const previous = request.isRevisit ? await records.get(url) : undefined
    const status = text === null ? 404 : 200
    await keeper.keep(request, {
      ...{ previous, bodyBytes: 0, location: null, candidates: [], refused: {}, counts: {}, note: '' },
      exchange: { startedAt: time.now, durationMs: 1, status, truncated: null, headers: [] },
      record: recordOf(url, text, time.now),
      archive: async () => null,
    })
  }

  return {
    ...{ frontier, records, clock, intervals, keyOf, time, visits },
    async offer(urls) {
      await frontier.offer(
        urls.map((url) => ({ url, host: keyOf(url), band: 'medium', depth: 0, parent: null, redirects: 0 })),
      )
    },
    async visitAll() {
      for (;;) {
        const { leases } = await frontier.lease(100, 100)
        if (leases.length === 0) return
        for (const lease of leases) {
          for (const request of lease.requests) await visit(request)
          await frontier.settle(
            lease,
            lease.requests.map(({ url }) => ({ url, kind: 'done' })),
          )
          await frontier.release(lease, { touchedMsAgo: null, pace: lease.pace })
        }
      }
    },
    [Symbol.dispose]: () => database[Symbol.dispose](),
  }
}

function recordOf(url: CanonicalUrl, text: string | null, fetchedAt: number): UrlRecord {
  if (text === null) return blankRecord(url, { kind: 'other', status: 404, fetchedAt })
  return blankRecord(url, { text, contentHash: hash('sha256', `${url} ${text}`), fetchedAt })
}
