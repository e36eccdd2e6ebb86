import { type FolderCrawl, openCrawl } from '../app.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import type { CrawlFolder } from '../embedded/crawl-folder.ts'
import { openHostDecisions } from '../embedded/host-decisions.ts'
import type { HostDecisions } from '../politeness/host-decisions.ts'
import { type Summary, summarizer } from '../summary.ts'
import type { Terminal } from './command.ts'
import { jsonView, lineView, liveView, type ProgressView, type RunStart } from './progress.ts'
import { bold, dim, table } from './terminal.ts'
import { counted, showBytes, showCount, showDuration } from './units.ts'

export interface RunOptions {
  readonly terminal: Terminal
  readonly json: boolean
  /** How the folder is named in hints. */
  readonly outFlag: string
  /** Others do the work: what it cost this process says nothing. */
  readonly isFollowed?: boolean
  /** Shows the crawl on a web page while it runs. */
  readonly dashboard?: boolean
}

/** How a run ended, with what the summary of the whole crawl does not tell. */
export interface RunResult {
  readonly summary: Summary
  /** Pages that this run brought. */
  readonly newPages: number
  readonly maxPages: number
  /** URLs that are to be visited again some time. Left out: not known here. */
  readonly planned?: number
}

/** Runs a crawl with progress on the terminal. Ctrl-C ends it in order, a second one at once; nothing is lost by either. */
export async function runCrawl(folder: CrawlFolder, config: Config, options: RunOptions): Promise<RunResult> {
  const { terminal, json } = options
  const at = Date.now()
  const summarize = summarizer()
  const decisions = openHostDecisions(folder.path)
  await using _monitoring = await monitoringOf(config, terminal)
  if (options.dashboard) await checkDashboard(config)
  await using crawl = await openCrawl(folder, config, undefined, decisions)
  await using _dashboard = options.dashboard ? await openDashboardOf(folder, crawl, decisions, config, terminal) : null
  if (crawl.repairedPages > 0)
    terminal.note(`The archive was damaged; ${counted(crawl.repairedPages, 'page')} must be fetched again.`)
  const { pages } = (await crawl.progress()).tally
  const view = viewFor(terminal, json, { at, pages })
  using _signals = onSignals(crawl, terminal, view)
  const refresh = async () => view.show(await crawl.progress())
  const timer = setInterval(refresh, json || !terminal.isInteractive ? 1000 : 250)
  try {
    const reason = await crawl.run()
    if (terminal.isInteractive) await refresh()
    const progress = await crawl.progress()
    const summary = summarize(progress, reason)
    const planned = progress.outlook?.planned ?? 0
    return { summary, newPages: summary.pages - pages, maxPages: config.limits.maxPages, planned }
  } finally {
    clearInterval(timer)
    view.end()
  }
}

/** Loaded only when it is asked for: nothing is measured when nobody listens. */
async function monitoringOf({ monitor }: Config, terminal: Terminal): Promise<AsyncDisposable | null> {
  if (monitor.log === null && monitor.listen === null && monitor.otlp.endpoint === null) return null
  const { openMonitoring } = await import('../monitor/open-monitoring.ts')
  const log = (line: string) => terminal.note(line)
  return openMonitoring({ config: monitor, service: 'crawl', instance: String(process.pid), clock: systemClock(), log })
}

/** Before anything is begun that would have to be taken back. */
async function checkDashboard({ server }: Config): Promise<void> {
  const { checkedAddress } = await import('../server/server.ts')
  checkedAddress(server.listen, server.tokenFile !== null || server.oidc !== null)
}

/** Loaded only when it is asked for: a crawl does without. */
async function openDashboardOf(
  folder: CrawlFolder,
  crawl: FolderCrawl,
  decisions: HostDecisions,
  config: Config,
  terminal: Terminal,
): Promise<AsyncDisposable> {
  const { serveCrawl } = await import('./serve-operations.ts')
  const { operationsOver } = await import('../orchestrator/adapters/embedded/folder-operations.ts')
  return serveCrawl(
    (lag) => operationsOver(folder, crawl, decisions, lag),
    config,
    (line) => terminal.note(line),
  )
}

/** The end of a crawl, for people: what was done, what is left, what to do next. */
export function printSummary({ summary, newPages, maxPages, planned = 0 }: RunResult, options: RunOptions): void {
  const { terminal, outFlag, isFollowed } = options
  const { pages, durationMs, bytes, cpuMs, peakRssBytes } = summary
  const ended = { finished: 'Finished', limit: 'Stopped at the limit', stopped: 'Stopped' }[summary.reason]
  const rate = newPages / Math.max(durationMs / 1000, 0.001)
  const earlier =
    newPages < pages
      ? `, ${showCount(newPages)} of them in this run of ${showDuration(durationMs)}`
      : ` in ${showDuration(durationMs)}`
  terminal.note('')
  terminal.note(bold(`${ended}: ${counted(pages, 'page')}${earlier}`))
  const facts: [string, string][] = [
    ['fetched', `${showBytes(bytes)} in ${counted(summary.requests, 'request')}, ${rate.toFixed(1)} pages/s`],
    ['copies', `${showCount(summary.duplicates)} equal, ${showCount(summary.nearDuplicates)} nearly equal`],
    [
      'other',
      `${counted(summary.redirects, 'redirect')}, ${counted(summary.others, 'other answer')} (errors, images, documents…)`,
    ],
    ['left out', `${showCount(summary.excluded)} excluded, ${showCount(summary.failed)} failed`],
  ]
  if (summary.revisits > 0)
    facts.push(['again', `${counted(summary.revisits, 'revisit')}, ${showCount(summary.unchanged)} found nothing new`])
  if (!isFollowed)
    facts.push(['cost', `${showDuration(cpuMs)} of CPU time, ${showBytes(peakRssBytes)} of memory at most`])
  for (const line of table(facts.map(([name, text]) => [`  ${dim(name)}`, text]))) terminal.note(line)
  terminal.note('')
  const hints: [string, string][] = pages > 0 ? [[`orbweaver search "some words"${outFlag}`, 'search it']] : []
  if (summary.queued > 0) {
    const further = maxPages > 0 && pages >= maxPages ? ` --max-pages ${2 * maxPages}` : ''
    hints.unshift([`orbweaver resume${further}${outFlag}`, `go on with the ${counted(summary.queued, 'URL')} left`])
  } else if (planned > 0 || summary.revisits > 0)
    hints.unshift([`orbweaver resume${outFlag}`, 'go on visiting pages again'])
  if (summary.failed > 0) hints.push([`orbweaver dead list${outFlag}`, 'see what failed'])
  if (pages > 0) hints.push([`orbweaver export --format jsonl${outFlag}`, 'take it elsewhere'])
  for (const line of table(hints.map(([command, what]) => [`  ${command}`, dim(what)]))) terminal.note(line)
}

export function viewFor(terminal: Terminal, json: boolean, start: RunStart): ProgressView {
  if (json) return jsonView(terminal, start)
  if (!terminal.isInteractive) return lineView(terminal, start, 5000)
  return liveView(terminal, start, (text) => process.stderr.write(text))
}

function onSignals(crawl: FolderCrawl, terminal: Terminal, view: ProgressView): Disposable {
  let asked = 0
  const stop = () => {
    asked++
    view.end()
    if (asked === 1) {
      terminal.note(
        'Stopping: pages under way are finished first. Press Ctrl-C again to stop at once; nothing is lost.',
      )
      crawl.drain()
    } else {
      crawl.abort()
    }
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {
    [Symbol.dispose]() {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}
