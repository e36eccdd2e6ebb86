import { type Clock, systemClock } from '../../../clock.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import { Courier } from '../../../engines/redis/courier.ts'
import type { Shards } from '../../../engines/redis/shards.ts'
import { compileGlob, globMatches } from '../../../url/glob.ts'
import { type CanonicalUrl, type HostKey, hostKeyOf } from '../../../url/keys.ts'
import { entryOf, FirstHosts } from '../../first-hosts.ts'
import type { DeadFilter, HostEntry, HostQuery, HostsFound, Ledger, UrlEntry, UrlState } from '../../ledger.ts'
import { shortUrl } from './entry.ts'
import { hostsNamed, type SurveyedHost, surveyHosts } from './host-survey.ts'
import { KeptCensus } from './kept-census.ts'
import { loadLedgerScripts } from './scripts.ts'
import { ShardCalls } from './shard-calls.ts'
import { endedEntry, StoredUrls } from './stored-urls.ts'
import { type CountedCrawl, countsOf, sumsOf } from './whole-crawl.ts'

export interface RedisLedgerOptions {
  readonly client: RedisClient
  readonly shards: Shards
  readonly crawl: string
  readonly fingerprint: (url: string) => number
  readonly patienceMs?: number
  readonly clock?: Clock
  /** Up to so many hosts are read anew for each question. */
  readonly fewHosts?: number
  /** For tests: the time by which scripts act, in place of the engine's own. */
  readonly engineTime?: () => number
}

export interface RedisLedger extends Ledger {
  /** All that is counted, in one trip. */
  counted(): Promise<Pick<CountedCrawl, 'counts' | 'bands'>>
}

/** Dead letters changed in one call. */
const lettersInACall = 100

/**
 * Reads a crawl's frontier in Redis, also while it runs. Of a URL that was visited the frontier keeps no more than that
 * it was seen: `lookup` answers `done` for it, without depth and parent, and `urls('done')` is empty. Its story is told
 * by its record. What is queued, leased, excluded or dead is told in full.
 */
export function redisLedger(options: RedisLedgerOptions): RedisLedger {
  const { client, shards, crawl, fingerprint, engineTime, fewHosts = 2000 } = options
  const courier = new Courier({ client, patienceMs: options.patienceMs ?? 60_000 })
  const calls = new ShardCalls({ courier, shards, crawl, engineTime })
  const scripts = loadLedgerScripts()
  const stored = new StoredUrls(client, shards, crawl)
  const taking = { calls, script: scripts.census, shards: shards.count, clock: options.clock ?? systemClock() }
  const censuses = {
    plain: new KeptCensus({ ...taking, hasPace: false }),
    paced: new KeptCensus({ ...taking, hasPace: true }),
  }
  const everyShard = Array.from({ length: shards.count }, (_, shard) => shard)

  async function* hostsIn(of: readonly number[]): AsyncIterable<SurveyedHost> {
    for (const shard of of) yield* surveyHosts(calls, scripts.survey, shard)
  }

  async function* waiting(of: readonly number[], only?: HostKey): AsyncIterable<UrlEntry> {
    for (const shard of of) {
      yield* stored.inFront(shard)
      yield* stored.delayed(shard)
    }
    for await (const host of hostsIn(of))
      if (host.counts.queued + host.counts.leased > 0 && (only === undefined || host.host === only))
        yield* stored.queuesOf(host)
  }

  async function* ended(state: UrlState, only?: HostKey): AsyncIterable<UrlEntry> {
    for (const shard of only === undefined ? everyShard : [shards.of(only)])
      for await (const host of only === undefined ? hostsWith(state, shard) : [only])
        for await (const entry of stored.ended(shard, host)) if (entry.state === state) yield entry
  }

  async function* hostsWith(state: UrlState, shard: number): AsyncIterable<HostKey> {
    if (state === 'dead') yield* stored.hostsWithLetters(shard)
    else for await (const { host, counts } of hostsIn([shard])) if (counts[state] > 0) yield host
  }

  async function* dead(filter: DeadFilter): AsyncIterable<UrlEntry> {
    const urls = filter.urls && new Set(filter.urls)
    const pattern = filter.pattern === undefined ? undefined : compileGlob(filter.pattern, true)
    for await (const entry of ended('dead', filter.host)) {
      if (filter.reason !== undefined && entry.reason !== filter.reason) continue
      if (urls && !urls.has(entry.url)) continue
      if (pattern === undefined || globMatches(pattern, entry.url)) yield entry
    }
  }

  async function correct(verb: 'retry' | 'drop', filter: DeadFilter): Promise<number> {
    let corrected = 0
    const change = async (host: HostKey, urls: readonly CanonicalUrl[]) => {
      const shorts = urls.map((url) => shortUrl(url, host))
      corrected += (await calls.run(scripts.correct, shards.of(host), [verb, host, ...shorts])) as number
    }
    let [host, urls]: [HostKey | undefined, CanonicalUrl[]] = [undefined, []]
    for await (const entry of dead(filter)) {
      if (host !== undefined && (entry.host !== host || urls.length >= lettersInACall)) {
        await change(host, urls)
        urls = []
      }
      host = entry.host
      urls.push(entry.url)
    }
    if (host !== undefined) await change(host, urls)
    return corrected
  }

  /** Under one of the keys that a URL can have. */
  async function lookupUnder(host: HostKey, url: CanonicalUrl): Promise<UrlEntry | undefined> {
    const shard = shards.of(host)
    const answer = await calls.run(scripts.trace, shard, [host, shortUrl(url, host), fingerprint(url)])
    if (answer === null) return undefined
    if (answer !== 'queued' && answer !== 'done') return endedEntry(answer as string, host)
    if (answer === 'queued') for await (const entry of waiting([shard], host)) if (entry.url === url) return entry
    return doneEntry(url, host)
  }

  async function findAmongFew({ search, sort, order, offset, limit }: HostQuery): Promise<HostsFound> {
    const most = new FirstHosts(offset + limit, sort, order)
    let total = 0
    for await (const found of hostsIn(everyShard)) {
      if (search !== '' && !found.host.includes(search)) continue
      total++
      most.see(found)
    }
    return { total, hosts: most.first.slice(offset), ageMs: 0 }
  }

  async function findAmongMany(query: HostQuery): Promise<HostsFound> {
    const census = query.sort === 'gap' || query.sort === 'next' ? censuses.paced : censuses.plain
    const { total, hosts, ageMs } = await census.find(query)
    return { total, hosts: await hostsByName(hosts), ageMs }
  }

  /** In the order of their names as given; each once. */
  async function hostsByName(names: readonly HostKey[]): Promise<HostEntry[]> {
    const byShard = Map.groupBy(new Set(names), (name) => shards.of(name))
    const found = await Promise.all(
      [...byShard].map(([shard, its]) => hostsNamed(its, { calls, script: scripts.hosts, shard })),
    )
    const known = new Map(found.flat().map((host) => [host.host, entryOf(host)]))
    return [...new Set(names)].flatMap((name) => known.get(name) ?? [])
  }

  return {
    async lookup(url) {
      const keys = new Set([hostKeyOf(url, 'host'), hostKeyOf(url, 'domain')])
      for (const host of keys) {
        const found = await lookupUnder(host, url)
        if (found) return found
      }
      return undefined
    },
    counts: async () => (await countsOf(calls)).counts,
    counted: () => countsOf(calls),
    sums: () => sumsOf(calls),
    async hosts(limit): Promise<readonly HostEntry[]> {
      const largest = new FirstHosts(limit, 'urls', 'desc')
      for await (const host of hostsIn(everyShard)) largest.see(host)
      return largest.first
    },
    host: async (key) => (await hostsByName([key]))[0],
    async findHosts(query) {
      const { hosts } = await countsOf(calls)
      return hosts <= fewHosts ? findAmongFew(query) : findAmongMany(query)
    },
    urls: (state, limit) => first(limit, inState(state, { waiting: () => waiting(everyShard), ended })),
    dead: (filter, limit) => first(limit, dead(filter)),
    retryDead: (filter) => correct('retry', filter),
    dropDead: (filter) => correct('drop', filter),
    async [Symbol.asyncDispose]() {
      for (const census of Object.values(censuses)) census[Symbol.dispose]()
    },
  }
}

interface Sources {
  waiting(): AsyncIterable<UrlEntry>
  ended(state: UrlState): AsyncIterable<UrlEntry>
}

async function* inState(state: UrlState, { waiting, ended }: Sources): AsyncIterable<UrlEntry> {
  if (state === 'done') return
  if (state === 'excluded' || state === 'dead') yield* ended(state)
  else for await (const entry of waiting()) if (entry.state === state) yield entry
}

async function* first<T>(limit: number | undefined, all: AsyncIterable<T>): AsyncIterable<T> {
  let left = limit ?? Number.POSITIVE_INFINITY
  if (left <= 0) return
  for await (const one of all) {
    yield one
    if (--left <= 0) return
  }
}

function doneEntry(url: CanonicalUrl, host: HostKey): UrlEntry {
  const unknown = { band: 'low', depth: 0, parent: null, discoveredAt: 0, redirects: 0, attempts: 0 } as const
  return { url, host, state: 'done', ...unknown, dueAt: null, reason: null }
}
