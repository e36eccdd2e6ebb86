import type { Snapshot } from '../server/api/schemas/overview.ts'
import { bold, dim, red, table } from './terminal.ts'
import { counted, safe, showBytes, showCount, showDuration } from './units.ts'

const sparks = '▁▂▃▄▅▆▇█'

/** A snapshot as lines of a terminal, the most important first: what does not fit is left out at the end. */
export function topScreen(snapshot: Snapshot, lastRates: readonly number[], rows: number): string[] {
  const { crawls, workerList } = snapshot
  return [
    ...headLines(snapshot, lastRates),
    '',
    ...titled('crawls', crawls.map(crawlRow), ['crawl', 'state', 'pages', 'queued', 'failed', 'pages/s', 'time left']),
    ...titled('workers', workerList.map(workerRow), ['worker', 'role', 'pages/s', 'hosts', 'CPU', 'memory', 'silent']),
    ...errorLines(snapshot),
  ].slice(0, rows)
}

function headLines(snapshot: Snapshot, lastRates: readonly number[]): string[] {
  const { pagesPerSecond, requestsPerSecond, bytesPerSecond, queued, leased, dead, alertsFiring } = snapshot
  const { fetchSuccess, duplicateRate, storageLagMs, workers, fault } = snapshot
  const alerts = alertsFiring > 0 ? `  ${red(`${counted(alertsFiring, 'alert')} firing`)}` : ''
  const lag = storageLagMs === null ? '' : `  storage lag ${showDuration(storageLagMs)}`
  return [
    ...(fault === null ? [] : [red(`These figures are old. ${safe(fault)}`)]),
    `${bold(`${perSecond(pagesPerSecond)} pages/s`)}  ${sparkline(lastRates)}${alerts}`,
    `${perSecond(requestsPerSecond)} requests/s  ${showBytes(bytesPerSecond)}/s  ${counted(workers, 'worker')}${lag}`,
    `${showCount(queued)} queued  ${showCount(leased)} under way  ${showCount(dead)} dead letters  ` +
      `fetch success ${percent(fetchSuccess)}  copies ${percent(duplicateRate)}`,
  ]
}

const perSecond = (rate: number) => (rate < 10 ? rate.toFixed(1) : showCount(rate))
const percent = (share: number | null) => (share === null ? '–' : `${(share * 100).toFixed(1)} %`)

/** The latest to the right. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(...values, 1e-9)
  return values.map((value) => sparks[Math.min(sparks.length - 1, Math.floor((value / most) * sparks.length))]).join('')
}

function titled(title: string, rows: readonly (string | number)[][], head: readonly string[]): string[] {
  if (rows.length === 0) return [dim(`no ${title}`), '']
  return [...table([head.map(dim), ...rows]), '']
}

function crawlRow({ id, state, pages, counts, pagesPerSecond, timeLeftMs }: Snapshot['crawls'][number]) {
  const left = timeLeftMs === null ? '' : showDuration(timeLeftMs)
  return [id, state, pages, counts.queued, counts.dead, perSecond(pagesPerSecond), left]
}

function workerRow(worker: Snapshot['workerList'][number]): (string | number)[] {
  const { id, role, alive, pagesPerSecond, openHosts, cpuShare, memoryBytes, silentMs } = worker
  return [
    safe(id),
    role,
    pagesPerSecond === null ? '–' : perSecond(pagesPerSecond),
    openHosts,
    cpuShare === null ? '–' : percent(cpuShare),
    memoryBytes === null ? '–' : showBytes(memoryBytes),
    alive ? '' : red(showDuration(silentMs)),
  ]
}

function errorLines({ errors }: Snapshot): string[] {
  const most = Object.entries(errors).sort(([, a], [, b]) => b - a)
  if (most.length === 0) return []
  return [dim('errors in the last minute'), ...table(most.slice(0, 8).map(([kind, times]) => [safe(kind), times]))]
}
