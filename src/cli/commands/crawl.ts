import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { checkOrders } from '../../check-orders.ts'
import { loadConfig, type Tree } from '../../config/load.ts'
import type { Config } from '../../config/schema.ts'
import { UsageError } from '../../config/usage-error.ts'
import { type CrawlFolder, createCrawlFolder, withdrawCrawlFolder } from '../../embedded/crawl-folder.ts'
import { openReader } from '../../embedded/open-reader.ts'
import { isFleet } from '../../engines/is-fleet.ts'
import { withoutEngines } from '../../fleet/crawl-orders.ts'
import { canonicalRules } from '../../url/canonical.ts'
import { canonicalSeeds } from '../../worker/seeds.ts'
import { type Command, type Flags, type Invocation, overridesFrom, type Terminal } from '../command.ts'
import { sourcesOf } from '../crawl-settings.ts'
import { monitorFlags } from '../monitor-flags.ts'
import { printSummary, type RunOptions, type RunResult, runCrawl } from '../run-crawl.ts'
import type { Following } from '../server-crawl.ts'
import { serverFlags } from '../server-flags.ts'
import { bold } from '../terminal.ts'
import { firstOf, readCount, readDurationMs } from '../units.ts'

/** Limits may be changed when a crawl is resumed; everything else stays as it was ordered. */
export const resumeFlags: Flags = {
  'max-pages': {
    type: 'string',
    value: 'N',
    help: 'stop after so many pages, earlier runs included',
    setting: 'limits.maxPages',
    read: readCount('max-pages'),
  },
  'max-duration': {
    type: 'string',
    value: 'TIME',
    help: 'stop after a time, such as 30s, 10m, 2h',
    setting: 'limits.maxDurationMs',
    read: readDurationMs('max-duration'),
  },
  'max-wait': {
    type: 'string',
    value: 'TIME',
    help: 'once nothing else is left, wait so long for hosts in trouble (429, 503, no answer) (60s)',
    setting: 'limits.maxWaitMs',
    read: readDurationMs('max-wait'),
  },
  concurrency: {
    type: 'string',
    value: 'N',
    help: 'requests at once over all hosts (as many as prove useful)',
    setting: 'worker.concurrency',
    read: readCount('concurrency'),
  },
  threads: {
    type: 'string',
    value: 'N',
    help: 'threads that fetch and parse beside the one that stores; 0: all in one (one less than there are cores)',
    setting: 'worker.threads',
    read: readCount('threads'),
  },
  dashboard: { type: 'boolean', help: 'show the crawl on a web page while it runs' },
  ...serverFlags,
  ...monitorFlags,
}

export const detachFlag: Flags = {
  detach: { type: 'boolean', help: 'in a fleet or on a server: give the order and do not follow it' },
}

const flags: Flags = {
  seeds: { type: 'string', value: 'FILE', help: 'further seeds, one a line (- for standard input)' },
  scope: {
    type: 'string',
    value: 'host|domain|prefix|any',
    help: 'which URLs belong to the crawl (host: the hosts of the seeds)',
    setting: 'url.scope',
  },
  include: {
    type: 'string',
    value: 'PATTERN',
    multiple: true,
    help: 'only URLs that fit (* is any text; re: begins a regular expression); may be repeated',
    setting: 'url.include',
  },
  exclude: {
    type: 'string',
    value: 'PATTERN',
    multiple: true,
    help: 'no URL that fits; may be repeated',
    setting: 'url.exclude',
  },
  'max-depth': {
    type: 'string',
    value: 'N',
    help: 'follow so many links away from a seed, on the way by which a page is found first',
    setting: 'limits.maxDepth',
    read: readCount('max-depth'),
  },
  ...resumeFlags,
  recrawl: {
    type: 'string',
    value: 'TIME[..TIME]',
    help: 'visit pages again after a time, or between two by how often each changes (1h..30d); goes on until stopped',
  },
  delay: {
    type: 'string',
    value: 'TIME',
    help: 'between two requests to a host (1s); 0 is for your own sites',
    setting: 'politeness.delayMs',
    read: readDurationMs('delay'),
  },
  'user-agent': { type: 'string', value: 'TEXT', help: 'the whole User-Agent', setting: 'fetch.userAgent' },
  contact: {
    type: 'string',
    value: 'URL',
    help: 'where site owners find you; stands in the User-Agent',
    setting: 'fetch.contact',
  },
  'allow-private': { type: 'boolean', help: 'reach hosts at private addresses too, not only the seeds' },
  dns: { type: 'string', value: 'ADDRESS', multiple: true, help: 'name servers to ask', setting: 'dns.servers' },
  ca: {
    type: 'string',
    value: 'FILE',
    multiple: true,
    help: 'trust these certificate authorities too (PEM)',
    setting: 'fetch.caCertificates',
  },
  'no-archive': { type: 'boolean', help: 'keep no WARC files' },
  'no-index': { type: 'boolean', help: 'do not make pages searchable' },
  'no-text': { type: 'boolean', help: 'links only: no text, language, fingerprint or index' },
  ...detachFlag,
  set: {
    type: 'string',
    value: 'NAME=VALUE',
    multiple: true,
    help: 'any setting by its name, such as fetch.maxBodyBytes=1000000',
  },
}

export const crawl: Command = {
  name: 'crawl',
  usage: 'URL… [options]',
  takesWords: Number.POSITIVE_INFINITY,
  summary: 'crawls sites until done or a limit, into a folder',
  details: `
The folder holds everything: archive/ (WARC and CDXJ), crawl.sqlite (frontier, records, index). Ctrl-C stops in order;
\`orbweaver resume\` goes on, after whatever end. robots.txt is always obeyed. With --json each line is a JSON value: progress,
and last the summary {"pages","failed","excluded","duplicates","nearDuplicates","redirects","others","bytes","requests",
"revisits","unchanged","queued","durationMs","cpuMs","peakRssBytes","reason"}. Exit code 0: ended as ordered; 1: the crawl failed; 2: wrong usage.

  orbweaver crawl https://example.com
  orbweaver crawl example.com --max-pages 500 --exclude '*/login*' --out example
  orbweaver crawl https://docs.example.com/guide/ --scope prefix --delay 0
  orbweaver crawl example.com --recrawl 1h..30d`,
  flags,
  async run(invocation) {
    const seeds = readSeeds(invocation)
    const { config, given } = loadConfig({ ...sourcesOf(invocation), overrides: overrides(invocation) })
    checkOrders(seeds, config)
    if (invocation.given.server !== undefined) return onServer(invocation, seeds, withoutEngines(given))
    if (isFleet(config.engines)) return inFleet(invocation, seeds, config, given)
    const folder = createCrawlFolder(invocation.out, seeds, withoutEngines(given))
    const options = runOptions(invocation)
    const { terminal } = invocation
    if (!invocation.json)
      terminal.note(bold(`Crawling ${named(seeds, config)} into ${relative('.', folder.path) || '.'}`))
    try {
      return await finish(folder, config, options)
    } catch (error) {
      if (error instanceof UsageError) withdrawCrawlFolder(folder)
      throw error
    }
  },
}

async function onServer(invocation: Invocation, seeds: string[], settings: Tree): Promise<number> {
  const { submitToServer } = await import('../server-crawl.ts')
  const { crawl, result } = await submitToServer(invocation, { seeds, settings }, following(invocation))
  return followed(result, crawl, invocation)
}

/** Dashboard, metrics and logs of a crawl that others work on are theirs. */
export function following(invocation: Invocation): Following {
  const { given } = invocation
  for (const name of ['dashboard', ...Object.keys(serverFlags), ...Object.keys(monitorFlags)])
    if (given[name] !== undefined)
      throw new UsageError(`--${name} is for crawls in this process: leave it out with --server.`)
  return { optionsFor: (crawl) => followOptions(invocation, crawl), follow: given.detach !== true }
}

async function inFleet(invocation: Invocation, seeds: string[], config: Config, settings: Tree): Promise<number> {
  const { given } = invocation
  const { submitCrawl } = await import('../fleet-crawl.ts')
  const { newCrawlName } = await import('../../fleet/crawl-name.ts')
  const name = String(given.crawl ?? newCrawlName(seeds, new Date()))
  const orders = { name, seeds, config, given: settings }
  const result = await submitCrawl(orders, followOptions(invocation, name), given.detach !== true)
  return followed(result, name, invocation)
}

/** For who follows a crawl of a fleet or a server: hints name it. */
export function followOptions({ terminal, json, given }: Invocation, crawl: string): RunOptions {
  const where = (['server', 'config'] as const).find((name) => given[name] !== undefined)
  const outFlag = ` --crawl ${crawl}${where === undefined ? '' : ` --${where} ${given[where]}`}`
  return { terminal, json, outFlag, isFollowed: true }
}

/** Says how a crawl of a fleet or a server ended; `null`: it goes on, and we have stopped looking. */
export function followed(result: RunResult | null, crawl: string, invocation: Invocation): number {
  const { json, terminal } = invocation
  const options = followOptions(invocation, crawl)
  if (!result) {
    if (json) terminal.print(JSON.stringify({ crawl, state: 'running' }))
    else terminal.note(`It goes on without us. See \`orbweaver status${options.outFlag}\`.`)
    return 0
  }
  if (json) terminal.print(JSON.stringify(result.summary))
  else printSummary(result, options)
  return result.summary.pages === 0 && result.summary.failed > 0 ? 1 : 0
}

/** The first seeds, as they were understood: `example.com` is `https://example.com/`. */
function named(seeds: readonly string[], config: Config): string {
  return firstOf(canonicalSeeds(seeds.slice(0, 3), canonicalRules(config.url)), seeds.length)
}

/** Runs a crawl to its end and says how it went. A crawl that brought nothing because its seeds failed has failed. */
export async function finish(folder: CrawlFolder, config: Config, options: RunOptions): Promise<number> {
  const result = await runCrawl(folder, config, options)
  const { summary } = result
  if (options.json) options.terminal.print(JSON.stringify(summary))
  else printSummary(result, options)
  const isEmpty = summary.pages === 0 && summary.reason === 'finished'
  if (isEmpty && !options.json) await explainNothing(folder, config, options.terminal)
  return isEmpty && summary.failed > 0 ? 1 : 0
}

async function explainNothing(folder: CrawlFolder, config: Config, terminal: Terminal): Promise<void> {
  await using reader = await openReader(folder)
  terminal.note('\nNo page was found:')
  for (const url of canonicalSeeds(folder.orders.seeds.slice(0, 3), canonicalRules(config.url))) {
    const reason = (await reader.ledger.lookup(url))?.reason
    const record = await reader.records.get(url)
    const answer = record && `${record.status}, ${record.contentType || 'no type'}`
    terminal.note(`  ${url}  ${reason ?? answer ?? 'never visited'}`)
  }
}

export function runOptions({ terminal, json, out, given }: Invocation): RunOptions {
  const outFlag = given.out === undefined ? '' : ` --out ${relative('.', out) || '.'}`
  return { terminal, json, outFlag, dashboard: given.dashboard === true }
}

function overrides({ given }: Invocation): Record<string, unknown> {
  const chosen = overridesFrom(flags, given)
  for (const text of (given.set as string[] | undefined) ?? []) {
    const at = text.indexOf('=')
    if (at < 1) throw new UsageError(`--set takes NAME=VALUE, not "${text}".`)
    const value = text.slice(at + 1)
    chosen[text.slice(0, at)] = /^(-?\d+(\.\d+)?|true|false|null|\[.*\]|\{.*\})$/.test(value)
      ? JSON.parse(value)
      : value
  }
  if (given.recrawl !== undefined) {
    const [minMs, maxMs] = String(given.recrawl).split('..', 2).map(readDurationMs('recrawl'))
    chosen['recrawl.minMs'] = minMs
    chosen['recrawl.maxMs'] = maxMs ?? 0
  }
  if (given['allow-private']) chosen.allowPrivate = ['*']
  if (given['no-archive']) chosen['store.archive'] = false
  if (given['no-index']) chosen['worker.index'] = false
  if (given['no-text']) chosen['worker.text'] = false
  return chosen
}

function readSeeds({ args, given }: Invocation): string[] {
  const seeds = [...args]
  const file = given.seeds as string | undefined
  if (file !== undefined) {
    let text: string
    try {
      text = readFileSync(file === '-' ? 0 : file, 'utf8')
    } catch (cause) {
      throw new UsageError(`The seed list ${file} cannot be read: ${(cause as Error).message}.`, { cause })
    }
    const lines = text.split('\n').map((line) => line.trim())
    seeds.push(...lines.filter((line) => line !== '' && !line.startsWith('#')))
  }
  if (seeds.length === 0)
    throw new UsageError('Name at least one URL to start from: `orbweaver crawl https://example.com`.')
  return seeds
}
