import type { Config } from '../../config/schema.ts'
import { outlookOf } from '../../schedule/outlook.ts'
import type { CrawlSummary } from '../../server/api/schemas/crawl.ts'
import type { Worker } from '../../server/api/schemas/worker.ts'
import type { Outlook } from '../../store/record-store.ts'
import { type Tally, tallyOf } from '../../worker/tally.ts'
import type { Command, Invocation } from '../command.ts'
import { configOf, fleetOf, openCrawlOf } from '../open-crawl.ts'
import { dueIn } from '../progress.ts'
import { bold, dim, table } from '../terminal.ts'
import { counted, firstOf, showBytes, showCount, showDuration } from '../units.ts'

export const status: Command = {
  name: 'status',
  usage: '',
  summary: 'what a crawl has done and what is left; of a fleet, all its crawls and workers',
  flags: {},
  async run(invocation) {
    const { json, terminal, given } = invocation
    if (given.crawl === undefined && given.server !== undefined)
      return showSurvey(await surveyOn(invocation), invocation)
    const fleet = given.crawl === undefined && given.server === undefined ? fleetOf(invocation) : undefined
    if (fleet) return showFleet(fleet, invocation)
    await using reader = await openCrawlOf(invocation)
    const tally = tallyOf(await reader.ledger.sums())
    const counts = await reader.ledger.counts()
    const state = await reader.state()
    const outlook = await outlookOf(reader.records, configOf(reader).recrawl, Date.now())
    if (json) {
      const { seeds, createdAt } = reader.orders
      terminal.print(JSON.stringify({ state, seeds, createdAt, ...tally, frontier: counts, outlook }))
      return 0
    }
    const name = reader.crawl === undefined ? '' : `${reader.crawl}: `
    terminal.print(bold(`${name}${firstOf(reader.orders.seeds)}: ${state}`))
    const rows: [string, number | string, string][] = [
      ['pages', tally.pages, `${showBytes(tally.bytes)} in ${showCount(tally.requests)} requests`],
      ['queued', counts.queued + counts.leased, counts.leased > 0 ? `${showCount(counts.leased)} of them leased` : ''],
      ['done', counts.done, `of ${showCount(counts.admitted)} URLs admitted`],
      ['excluded', counts.excluded, ''],
      ['failed', counts.dead, top(tally.errors) && `answers and attempts: ${top(tally.errors)}`],
      ['copies', tally.duplicates + tally.nearDuplicates, ''],
      ['refused', sum(tally.refused), top(tally.refused)],
      ...(outlook ? [againRow(tally, outlook)] : []),
    ]
    for (const line of table(rows.map(([name, n, rest]) => [`  ${name}`, n, rest]))) terminal.print(line)
    return 0
  },
}

function againRow({ revisits, unchanged }: Tally, outlook: Outlook): [string, number, string] {
  const found = `${showCount(unchanged)} of them found nothing new`
  return ['revisits', revisits, `${found}; ${counted(outlook.planned, 'URL')} planned, ${dueIn(outlook, Date.now())}`]
}

const sum = (counters: Record<string, number>) => Object.values(counters).reduce((a, b) => a + b, 0)

function top(counters: Record<string, number>): string {
  const entries = Object.entries(counters).sort(([, a], [, b]) => b - a)
  return entries
    .slice(0, 5)
    .map(([name, n]) => `${name} ${showCount(n)}`)
    .join(', ')
}

interface Survey {
  readonly crawls: readonly CrawlSummary[]
  readonly workers: readonly SurveyedWorker[]
}

interface SurveyedWorker extends Pick<Worker, 'id' | 'role' | 'region' | 'host' | 'pid' | 'startedAt'> {
  readonly stats: Readonly<Record<string, number | string>>
}

async function showFleet(config: Config, invocation: Invocation): Promise<number> {
  const { surveyFleet } = await import('../fleet-crawl.ts')
  return showSurvey(await surveyFleet(config), invocation)
}

async function surveyOn(invocation: Invocation): Promise<Survey> {
  const { clientOf } = await import('../server-client.ts')
  const client = clientOf(invocation)!
  const [{ crawls }, { workers }] = await Promise.all([
    client.listCrawls({ query: { limit: 50 } }),
    client.listWorkers(),
  ])
  const alive = workers.filter((worker) => worker.alive)
  return {
    crawls,
    workers: alive.map(({ pages, memoryBytes, ...card }) => ({
      ...card,
      stats: { pages, rssBytes: memoryBytes ?? 0 },
    })),
  }
}

function showSurvey({ crawls, workers }: Survey, { json, terminal }: Invocation): number {
  if (json) {
    for (const crawl of crawls) terminal.print(JSON.stringify({ kind: 'crawl', ...crawl }))
    for (const worker of workers) terminal.print(JSON.stringify({ kind: 'worker', ...worker }))
    return 0
  }
  terminal.print(bold(`${counted(crawls.length, 'crawl')}, ${counted(workers.length, 'worker')}`))
  const crawlRows = crawls.map(({ id, state, detail, seedCount, createdAt }) => [
    ...[`  ${id}`, state, counted(seedCount, 'seed')],
    dim(
      [`begun ${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')}`, detail].filter(Boolean).join(', '),
    ),
  ])
  const workerRows = workers.map(({ id, role, region, host, pid, stats, startedAt }) => [
    ...[`  ${id}`, role, counted(Number(stats.pages), 'page')],
    dim(
      `${region}, ${host}, process ${pid}, ${showBytes(Number(stats.rssBytes))} of memory, up ${showDuration(Math.max(0, Date.now() - startedAt))}`,
    ),
  ])
  const heads = (...names: string[]) => names.map((name, n) => dim(n === 0 ? `  ${name}` : name))
  if (crawlRows.length === 0)
    terminal.print('  The fleet has no crawl yet: start one by `orbweaver crawl URL --config FILE`.')
  else for (const line of table([heads('crawl', 'state', 'seeds', ''), ...crawlRows])) terminal.print(line)
  if (workerRows.length > 0) terminal.print('')
  for (const line of workerRows.length > 0 ? table([heads('worker', 'role', 'brought', ''), ...workerRows]) : [])
    terminal.print(line)
  if (crawlRows.length === 0) return 0
  terminal.print('')
  terminal.print(dim('  `orbweaver status --crawl NAME` tells more of one.'))
  return 0
}
