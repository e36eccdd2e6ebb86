import { configOfOrders, loadConfig, type Tree } from '../config/load.ts'
import type { Config } from '../config/schema.ts'
import { UsageError } from '../config/usage-error.ts'
import type { CrawlReader } from '../crawl-reader.ts'
import { withoutEngines } from '../fleet/crawl-orders.ts'
import { connectFleet, type Fleet } from '../fleet/fleet.ts'
import { type FleetReader, noSuchCrawl, openFleetReader } from '../fleet/open-reader.ts'
import type { WorkerEntry } from '../fleet/registry/workers.ts'
import { reindexFrom } from '../fleet/reindex.ts'
import type { Progress } from '../running-crawl.ts'
import { outlookOf } from '../schedule/outlook.ts'
import { tallyOf } from '../worker/tally.ts'
import { tellOfEngines } from './engine-lines.ts'
import { followCrawl } from './follow-crawl.ts'
import type { RunOptions, RunResult } from './run-crawl.ts'
import { bold } from './terminal.ts'

export interface FleetOrders {
  readonly name: string
  readonly seeds: readonly string[]
  readonly config: Config
  readonly given: Tree
}

/** Gives a crawl to the fleet, and follows it unless told otherwise. */
export async function submitCrawl(
  orders: FleetOrders,
  options: RunOptions,
  follow: boolean,
): Promise<RunResult | null> {
  const { name, seeds, config, given } = orders
  await using fleet = await connectFleet(config)
  await fleet.crawls.create(name, { seeds, config: withoutEngines(given), createdAt: Date.now() })
  if (!options.json) options.terminal.note(bold(`The fleet crawls it as ${name}`))
  await hintAtWorkers(fleet, options)
  return follow ? await followInFleet(fleet, name, options) : null
}

/** The crawl of that name, or the newest. */
export async function openCrawlOfFleet(config: Config, name: string | undefined): Promise<CrawlReader> {
  await using stack = new AsyncDisposableStack()
  const fleet = stack.use(await connectFleet(config))
  const reader = stack.use(await openFleetReader(fleet, name ?? (await newestOf(fleet))))
  const opened = stack.move()
  return { ...reader, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Stops a crawl by its name, or the newest. Answers the name. */
export async function stopCrawl(config: Config, name: string | undefined): Promise<string> {
  await using fleet = await connectFleet(config)
  const crawl = name ?? (await newestOf(fleet))
  const change = await fleet.crawls.setState(crawl, 'stopping', '', { from: ['running', 'paused'] })
  if (change === 'unknown') throw noSuchCrawl(crawl)
  if (change === 'refused') {
    const entry = await fleet.crawls.get(crawl)
    throw new UsageError(`${crawl} is ${entry?.state}: there is nothing to stop.`)
  }
  return crawl
}

/** Goes on with a crawl of the fleet, by other limits where some are given, and follows it unless told otherwise. */
export async function resumeCrawl(
  config: Config,
  given: { readonly name: string | undefined; readonly limits: Readonly<Record<string, unknown>> },
  optionsFor: (crawl: string) => RunOptions,
  follow: boolean,
): Promise<{ crawl: string; result: RunResult | null }> {
  await using fleet = await connectFleet(config)
  const crawl = given.name ?? (await newestOf(fleet))
  const entry = await fleet.crawls.get(crawl)
  if (!entry) throw noSuchCrawl(crawl)
  const options = optionsFor(crawl)
  if (Object.keys(given.limits).length > 0) {
    const base = withoutEngines(entry.orders.config as Tree)
    await fleet.crawls.amend(crawl, loadConfig({ base, overrides: given.limits }).given)
  }
  await fleet.crawls.setState(crawl, 'running', '', { from: resumable })
  if (!options.json) options.terminal.note(bold(`The fleet goes on with ${crawl}`))
  await hintAtWorkers(fleet, options)
  return { crawl, result: follow ? await followInFleet(fleet, crawl, options) : null }
}

const resumable = ['stopping', 'stopped', 'paused', 'finished', 'failed'] as const

async function hintAtWorkers(fleet: Fleet, { terminal }: RunOptions): Promise<void> {
  if ((await fleet.workers.list()).some(({ alive }) => alive)) return
  terminal.note('No worker is there yet: start some by `orbweaver worker --config FILE`.')
}

/** Builds the search index of a crawl anew. */
export async function reindexCrawl(
  config: Config,
  name: string | undefined,
): Promise<{ crawl: string; pages: number }> {
  await using fleet = await connectFleet(config)
  const crawl = name ?? (await newestOf(fleet))
  if (!(await fleet.crawls.get(crawl))) throw noSuchCrawl(crawl)
  return { crawl, pages: await reindexFrom(fleet, crawl) }
}

/** All crawls of a fleet, and who works on them. */
export async function surveyFleet(config: Config) {
  await using fleet = await connectFleet(config)
  const [crawls, workers] = await Promise.all([fleet.crawls.list(50), fleet.workers.list()])
  return { crawls, workers: workers.filter(({ alive }) => alive) }
}

async function newestOf(fleet: Fleet): Promise<string> {
  const [newest] = await fleet.crawls.list(1)
  if (!newest) throw new UsageError('The fleet has no crawl yet: start one by `orbweaver crawl URL --config FILE`.')
  return newest.id
}

/** Shows how a crawl of the fleet goes until it ends. Ctrl-C only stops looking. */
async function followInFleet(fleet: Fleet, name: string, options: RunOptions): Promise<RunResult | null> {
  await using reader = await openFleetReader(fleet, name)
  using _engines = tellOfEngines((line) => options.terminal.note(line))
  const { maxPages } = configOfOrders(reader.orders).limits
  let hadWorkers = false
  return await followCrawl(async () => {
    const { state, detail } = (await fleet.crawls.get(name))!
    const workers = (await fleet.workers.list()).filter(({ alive }) => alive)
    if (hadWorkers && workers.length === 0 && state === 'running')
      options.terminal.note('No worker is there any more: start some by `orbweaver worker --config FILE`.')
    hadWorkers = workers.length > 0
    return { state, detail, progress: await progressOf(fleet, reader, workers), maxPages }
  }, options)
}

async function progressOf(
  fleet: Fleet,
  { ledger, records, crawl, orders }: FleetReader,
  workers: readonly WorkerEntry[],
): Promise<Progress> {
  const { recrawl } = loadConfig({ base: orders.config as Tree }).config
  const [sums, counts, outlook] = await Promise.all([
    ...([ledger.sums(), ledger.counts()] as const),
    outlookOf(records, recrawl, fleet.clock.now()),
  ])
  const openHosts = workers
    .filter(({ stats }) => String(stats.crawls).split(',').includes(crawl))
    .reduce((sum, { stats }) => sum + Number(stats.openHosts ?? 0), 0)
  return { tally: tallyOf(sums), counts, openHosts, waitingMs: null, outlook }
}
