import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { CrawlReader } from '../../src/crawl-reader.ts'
import type { CrawlFolder } from '../../src/embedded/crawl-folder.ts'
import type { CanonicalUrl } from '../../src/url/keys.ts'
import { misbehaviours } from '../web/characters/misbehaving.ts'
import type { HostSpec, WebOptions } from '../web/options.ts'
import type { RemoteWeb } from '../web/remote.ts'
import { scratchFolder } from './crawl-of-web.ts'
import { folderFor, startWeb } from './remote-crawl.ts'
import type { Watched } from './watched-crawl.ts'

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

/** Limits short enough for a test, and long enough for good hosts on a busy machine; every kind of misbehaviour must come to its end by them. */
export const impatience = {
  ...Object.fromEntries(
    ['connectTimeoutMs', 'firstByteTimeoutMs', 'bodyTimeoutMs', 'totalTimeoutMs'].map((name) => [
      `fetch.${name}`,
      4000,
    ]),
  ),
  'fetch.retryDelaysMs': [50, 1000],
  'fetch.maxBodyBytes': 4 * 2 ** 20,
  'dns.queryTimeoutMs': 2000,
  'dns.tries': 2,
  'politeness.robots': { retryMs: [50, 1000], retryLaterMs: 300_000 },
  'politeness.circuit': { failures: 5, holdMs: 100, maxHoldMs: 200 },
  'politeness.throttledGapMs': 50,
  'politeness.maxGapMs': 200,
  'url.scope': 'domain',
  'url.traps': { maxFacets: 10, maxSubdomains: 5 },
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
  readonly watched: Watched
  readonly folder: CrawlFolder
  readonly web: RemoteWeb
}

export interface CrawlOrders {
  readonly settings: Readonly<Record<string, unknown>>
  /** The pages of all good hosts. */
  readonly goodPages: number
  /** Ends with the last of them; else when nothing is left. */
  readonly untilGood: boolean
}

const script = fileURLToPath(new URL('./watched-crawl.ts', import.meta.url))

/** Crawls such a web, both in processes of their own, so that neither takes time or memory from the other. */
export async function crawlHostileWeb(options: WebOptions, orders: CrawlOrders): Promise<HostileCrawl> {
  await using stack = new AsyncDisposableStack()
  const web = stack.use(await startWeb(options))
  const scratch = stack.use(scratchFolder())
  const folder = folderFor(web, scratch.path, orders.settings)
  const until = orders.untilGood ? ['--until-good'] : []
  const child = spawn(process.execPath, [script, folder.path, String(orders.goodPages), ...until], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const said = await text(child.stdout)
  const [code] = await exited
  if (code !== 0) throw new Error(`the crawl ended with ${code}`)
  const opened = stack.move()
  const watched: Watched = JSON.parse(said)
  return { watched, folder, web, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Requests of each host, by its name, as it saw them. */
export async function requestsOf(web: RemoteWeb): Promise<ReadonlyMap<string, number>> {
  const requests = new Map<string, number>()
  for (const { host } of await web.log()) requests.set(host, (requests.get(host) ?? 0) + 1)
  return requests
}
