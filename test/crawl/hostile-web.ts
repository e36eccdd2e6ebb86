import { openCrawl } from '../../src/app.ts'
import { loadConfig, type Tree } from '../../src/config/load.ts'
import type { CrawlReader } from '../../src/crawl-reader.ts'
import { openReader } from '../../src/embedded/open-reader.ts'
import type { CanonicalUrl } from '../../src/url/keys.ts'
import { misbehaviours } from '../web/characters/misbehaving.ts'
import type { LogEntry } from '../web/log.ts'
import type { HostSpec, WebOptions } from '../web/options.ts'
import type { RemoteExpected } from '../web/remote.ts'
import { scratchFolder } from './crawl-of-web.ts'
import { folderFor, startWeb } from './remote-crawl.ts'

/** Hosts that cannot even be talked to, by the characters that know how. */
const unreachable = [
  { character: 'tls-broken', name: 'bad-tls', count: 3, https: true },
  { character: 'unreachable', name: 'nowhere', count: 4, kinds: ['not-found', 'failed', 'silent', 'refused'] },
] as const satisfies readonly HostSpec[]

export const kindsOfMisbehaviour = misbehaviours.length + 7

/** Many good hosts, and beside them so many hosts for each way to misbehave. */
export function hostileWeb(goodHosts: number, pages: number, badOfEach: number): WebOptions {
  const good: HostSpec = { character: 'polite', name: 'good', count: goodHosts, pages }
  const bad: HostSpec = { character: 'misbehaving', name: 'bad', count: misbehaviours.length }
  const hosts = [bad, ...unreachable].map((spec) => ({ ...spec, count: spec.count! * badOfEach }))
  return { seed: 'hostile', hosts: badOfEach === 0 ? [good] : [good, ...hosts] }
}

/** Limits short enough for a test; every kind of misbehaviour must come to its end by them. */
export const impatience = {
  ...Object.fromEntries(
    ['connectTimeoutMs', 'firstByteTimeoutMs', 'bodyTimeoutMs', 'totalTimeoutMs'].map((name) => [
      `fetch.${name}`,
      2000,
    ]),
  ),
  'fetch.retryDelaysMs': [50],
  'fetch.maxBodyBytes': 4 * 2 ** 20,
  'dns.queryTimeoutMs': 500,
  'dns.tries': 1,
  'politeness.robots': { retryMs: [50], retryLaterMs: 300_000 },
  'politeness.circuit': { failures: 5, holdMs: 100, maxHoldMs: 200 },
  'politeness.throttledGapMs': 50,
  'politeness.maxGapMs': 200,
  'url.traps': { maxFacets: 10 },
  'frontier.maxUrlsPerHost': 40,
  'discovery.maxNesting': 5,
  'limits.maxWaitMs': 2000,
}

/** How the seed of each bad host ended, by what it did: `dead: reset`, `page`, `other 204: …`. */
export async function endsOf(
  reader: CrawlReader,
  hostile: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const ends = new Map<string, string>()
  for (const [url, what] of Object.entries(hostile)) ends.set(what, await endOf(reader, url as CanonicalUrl))
  return ends
}

async function endOf(reader: CrawlReader, url: CanonicalUrl): Promise<string> {
  const entry = await reader.ledger.lookup(url)
  if (entry?.state !== 'done') return `${entry?.state}: ${entry?.reason}`
  const record = await reader.records.get(url)
  const detail = (await reader.records.visits(url)).at(-1)?.detail ?? ''
  return [record?.kind, record?.status, detail].filter((part) => part !== '').join(' ')
}

export interface HostileCrawl extends AsyncDisposable {
  readonly reader: CrawlReader
  readonly expected: RemoteExpected
  /** Requests of each host, by its name. */
  readonly requests: ReadonlyMap<string, number>
  readonly goodPages: number
  /** From the first to the last request to a good host, as these saw it. */
  readonly goodMs: number
  /** The median of the times between two requests to the same good host. */
  readonly goodGapMs: number
}

function medianGapMs(log: readonly LogEntry[]): number {
  const gaps: number[] = []
  const last = new Map<string, number>()
  for (const { host, atMs } of log) {
    if (last.has(host)) gaps.push(atMs - last.get(host)!)
    last.set(host, atMs)
  }
  return gaps.sort((a, b) => a - b)[gaps.length >> 1]!
}

/** Crawls such a web, which runs in a process of its own, to its end. */
export async function crawlHostileWeb(options: WebOptions, settings: Record<string, unknown>): Promise<HostileCrawl> {
  await using stack = new AsyncDisposableStack()
  const web = stack.use(await startWeb(options))
  const scratch = stack.use(scratchFolder())
  const folder = folderFor(web, scratch.path, { ...impatience, ...settings })
  const { config } = loadConfig({ base: folder.orders.config as Tree })
  {
    await using crawl = await openCrawl(folder, config)
    await crawl.run()
  }
  const reader = stack.use(await openReader(folder))
  const log = await web.log()
  const good = log.filter(({ host }) => host.startsWith('good'))
  const requests = new Map<string, number>()
  for (const { host } of log) requests.set(host, (requests.get(host) ?? 0) + 1)
  const expected = await web.expected()
  const robotsFiles = new Set(good.map(({ host }) => host)).size
  const goodMs = good.at(-1)!.atMs - good[0]!.atMs
  const opened = stack.move()
  return {
    ...{ reader, expected, requests, goodMs, goodGapMs: medianGapMs(good) },
    goodPages: new Set(good.filter(({ status }) => status === 200).map(({ url }) => url)).size - robotsFiles,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
