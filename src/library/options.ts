import { checkOrders } from '../check-orders.ts'
import { loadConfig, nearest, type Tree } from '../config/load.ts'
import type { Config, ConfigInput } from '../config/schema.ts'
import { UsageError } from '../config/usage-error.ts'
import { type CrawlFolder, createCrawlFolder, openCrawlFolder } from '../embedded/crawl-folder.ts'
import type { CrawledPage } from '../worker/visit.ts'

/** What may differ from one run of a crawl to the next. */
export interface RunOptions {
  /** The crawl's folder, which holds everything and can be moved; `./orbweaver-data` unless given. */
  readonly out?: string | undefined
  /** Stop after so many pages, over all runs. */
  readonly maxPages?: number | undefined
  readonly maxDurationMs?: number | undefined
  /** Once nothing else is left: how long to wait for hosts that asked for patience (60,000). */
  readonly maxWaitMs?: number | undefined
  /** Requests at once over all hosts (as many as prove useful). So many pages at most wait for a slow consumer. */
  readonly concurrency?: number | undefined
  /** Threads that fetch and parse beside yours, which stores; 0: none. */
  readonly threads?: number | undefined
  /**
   * Sees each page before it counts as visited; the visit waits for its promise. Called for several pages at once. When
   * it throws, the crawl stops and fails with that error, and the page is delivered again on `resume`.
   */
  readonly onPage?: ((page: CrawledPage) => unknown) | undefined
  /** Aborted: the crawl begins no further visit and ends in order, as by `stop()`. */
  readonly signal?: AbortSignal | undefined
}

export interface CrawlOptions extends RunOptions {
  /** Where to start: `https://example.com/`, or `example.com` for short. */
  readonly seeds: readonly string[]
  /** Which URLs belong to the crawl: the hosts of the seeds (`host`), their domains, their folders (`prefix`), or any. */
  readonly scope?: 'host' | 'domain' | 'prefix' | 'any' | undefined
  /** Only URLs that fit one of these patterns: `*` is any text; `re:` begins a regular expression. */
  readonly include?: readonly string[] | undefined
  /** No URL that fits one of these patterns. */
  readonly exclude?: readonly string[] | undefined
  /** Follow so many links away from a seed. */
  readonly maxDepth?: number | undefined
  /** Between the starts of two requests to a host (1,000); 0 is for your own sites. */
  readonly delayMs?: number | undefined
  /** The whole User-Agent, in place of `orbweaver/VERSION (+contact)`. */
  readonly userAgent?: string | undefined
  /** URL at which site owners find you; stands in the User-Agent. */
  readonly contact?: string | undefined
  /** Hosts (or `*`) that may be reached at private addresses; those of the seeds always may. */
  readonly allowPrivate?: readonly string[] | undefined
  /** Keep WARC files (true). */
  readonly archive?: boolean | undefined
  /** Make pages searchable (true). */
  readonly index?: boolean | undefined
  /** Keep visible text, language and fingerprint (true); off: links only. */
  readonly text?: boolean | undefined
  /** Every other setting, as in a configuration file. */
  readonly config?: ConfigInput | undefined
  /** Settings named `ORBWEAVER_…`, as the command line reads them: `process.env`. They win over `config`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
}

export type ResumeOptions = RunOptions

export interface OrderedCrawl {
  readonly folder: CrawlFolder
  readonly config: Config
}

const runSettings: Readonly<Record<string, string>> = {
  maxPages: 'limits.maxPages',
  maxDurationMs: 'limits.maxDurationMs',
  maxWaitMs: 'limits.maxWaitMs',
  concurrency: 'worker.concurrency',
  threads: 'worker.threads',
}

const crawlSettings: Readonly<Record<string, string>> = {
  ...runSettings,
  maxDepth: 'limits.maxDepth',
  scope: 'url.scope',
  include: 'url.include',
  exclude: 'url.exclude',
  delayMs: 'politeness.delayMs',
  userAgent: 'fetch.userAgent',
  contact: 'fetch.contact',
  allowPrivate: 'allowPrivate',
  archive: 'store.archive',
  index: 'worker.index',
  text: 'worker.text',
}

const runOnly = ['out', 'onPage', 'signal']

/** Makes the folder of a new crawl; a UsageError, and no folder, if anything about the options is wrong. */
export function orderCrawl(options: CrawlOptions): OrderedCrawl {
  refuseUnknown('crawl', options, [...Object.keys(crawlSettings), ...runOnly, 'seeds', 'config', 'environment'])
  const { seeds, environment = {} } = options
  if (!Array.isArray(seeds) || seeds.length === 0 || !seeds.every((seed) => typeof seed === 'string'))
    throw new UsageError('Option seeds must be a list of URLs to start from, such as ["https://example.com/"].')
  const base = (options.config ?? {}) as Tree
  const { config, given } = loadConfig({ base, environment, overrides: overrides(options, crawlSettings) })
  checkOrders(seeds, config)
  return { folder: createCrawlFolder(options.out ?? defaultOut, seeds, given), config }
}

/** Finds a crawl that was ordered before; all but its limits stays as it was ordered. */
export function reorderCrawl(options: ResumeOptions): OrderedCrawl {
  refuseUnknown('resume', options, [...Object.keys(runSettings), ...runOnly])
  const folder = openCrawlFolder(options.out ?? defaultOut)
  const { config } = loadConfig({ base: folder.orders.config as Tree, overrides: overrides(options, runSettings) })
  return { folder, config }
}

export const defaultOut = 'orbweaver-data'

function overrides(options: object, settings: Readonly<Record<string, string>>): Record<string, unknown> {
  const chosen = Object.entries(options).filter(([name]) => name in settings)
  return Object.fromEntries(chosen.map(([name, value]) => [settings[name]!, value]))
}

function refuseUnknown(called: string, options: object, known: readonly string[]): void {
  const faults = Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => `${called}() has no option ${name}.${nearest(name, known)}`)
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
}
