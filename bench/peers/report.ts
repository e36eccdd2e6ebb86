import { type Figures, figures, isComplete, type Measured, type Run } from './figures.ts'

export interface Skipped {
  readonly name: string
  readonly reason: string
}

export const columns = [
  ...[
    'Crawler',
    'CPU ms a page',
    'min–max',
    '÷ spider',
    'Pages/s',
    'Peak MiB',
    'Pages',
    'Requests',
    'Repeats',
    'Missing',
  ],
  ...['Does', 'Does not', 'Setting'],
] as const

/** A row for each crawler, cheapest first; those without a complete run last. */
export function rows(all: readonly Measured[]): string[][] {
  const reference = all.map(figuresOfSpider).find((found) => found !== undefined)
  return all
    .map((measured) => ({ measured, found: figures(measured) }))
    .sort((a, b) => cost(a.found) - cost(b.found))
    .map(({ measured, found }) => row(measured, found, reference))
}

function row(measured: Measured, found: Figures | undefined, reference: Figures | undefined): string[] {
  const { peer, pages, runs } = measured
  const { median = Number.NaN, min = Number.NaN, max = Number.NaN } = found?.cpuMsPerPage ?? {}
  const whole = (value: number | undefined) => (value === undefined ? '-' : Math.round(value).toLocaleString('en-US'))
  const ratio = found && reference ? (median / reference.cpuMsPerPage.median).toFixed(2) : '-'
  return [
    peer.name,
    found ? median.toFixed(2) : 'incomplete',
    found ? `${min.toFixed(2)}–${max.toFixed(2)}` : '-',
    ratio,
    whole(found?.pagesPerSecond),
    whole(found && found.peakRssBytes / 2 ** 20),
    whole(pages),
    ...(['requests', 'repeats', 'missing'] as const).map((key) => spread(runs, ({ counts }) => counts[key])),
    peer.does,
    peer.doesNot,
    peer.setting,
  ]
}

/** One number if all runs agree, else from the least to the most. */
function spread(runs: readonly Run[], of: (run: Run) => number): string {
  const values = runs.map(of)
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => value.toLocaleString('en-US'))
  return least === most ? `${least}` : `${least}–${most}`
}

export function markdown(all: readonly Measured[], skipped: readonly Skipped[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const missed = skipped.map(({ name, reason }) => `\nNot measured: ${name} (${reason}).`)
  return `${[line(columns), line(columns.map(() => '---')), ...rows(all).map(line)].join('\n')}\n${missed.join('')}`
}

/** What was wrong with runs that do not count, in words. */
export function faults(all: readonly Measured[]): string[] {
  return all.flatMap((measured) =>
    measured.runs
      .filter((run) => !isComplete(measured, run))
      .map(({ round, exitCode, complaint, counts }) => {
        const end =
          exitCode === null ? ', stopped' : exitCode === 0 ? '' : `, exit code ${exitCode} ${complaint}`.trimEnd()
        return `${measured.peer.name}, round ${round}: ${counts.missing} of ${measured.pages} pages missing${end}`
      }),
  )
}

function figuresOfSpider(measured: Measured): Figures | undefined {
  return measured.peer.name.startsWith('spider') ? figures(measured) : undefined
}

function cost(found: Figures | undefined): number {
  return found?.cpuMsPerPage.median ?? Number.POSITIVE_INFINITY
}
