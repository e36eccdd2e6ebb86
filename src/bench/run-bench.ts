import { corpusFolder } from '../../bench/site/corpus.ts'
import type { Invocation, Terminal } from '../cli/command.ts'
import type { BenchWish } from '../cli/commands/bench.ts'
import { bold, dim } from '../cli/terminal.ts'
import { showBytes } from '../cli/units.ts'
import { nearest } from '../config/load.ts'
import { UsageError } from '../config/usage-error.ts'
import { CrawlFailed } from './crawl-process.ts'
import { type Grid, gridText } from './grid.ts'
import { growthPlan, runGrowth } from './growth.ts'
import { describeMachine } from './machine.ts'
import { crawlModes, growthMode, type Mode, modeNames, smokeOf } from './modes.ts'
import { findPinning } from './pinning.ts'
import { BenchProgress } from './progress.ts'
import { apart, type Result, writeReport } from './report.ts'
import { type BenchOptions, type Measured, runMode } from './run-mode.ts'
import { bytesGrid, growthColumns, growthGrid, modesGrid, stageColumns, stagesGrid } from './tables.ts'

/** Measures what was asked for, one mode after the other, and prints it. Answers the exit code. */
export async function runBench(wish: BenchWish, { terminal, json }: Invocation): Promise<number> {
  if (wish.redraw) {
    writeReport(wish.report!, [])
    return 0
  }
  const measurements = chosenModes(wish).map((name) => measurementOf(name, wish))
  checkCorpus(wish.corpus)
  using stopping = onStop()
  const { signal } = stopping
  const progress = new BenchProgress(terminal)
  const { rounds, withStages, corpus } = wish
  const options = { rounds, withStages, corpus, pinning: wish.isPinned ? findPinning() : undefined, progress, signal }
  const results: Result[] = []
  const sound: Result[] = []
  let isWrong = false
  try {
    for (const measure of measurements) {
      const { result, faults } = await measure(options)
      results.push(result)
      if (faults.length === 0) sound.push(result)
      if (json) terminal.print(JSON.stringify({ ...result, faults }))
      for (const fault of faults) terminal.note(`Wrong: ${result.mode}: ${fault}.`)
      isWrong ||= faults.length > 0
    }
  } catch (error) {
    progress.end()
    if (!signal.aborted && !(error instanceof CrawlFailed)) throw error
    terminal.note(signal.aborted ? 'Stopped.' : `The crawl failed: ${(error as Error).message}`)
    isWrong = true
  }
  if (!json && results.length > 0) print(results, terminal)
  // Figures of a crawl that counted wrong are shown, and kept nowhere.
  if (wish.report !== undefined && sound.length > 0) writeReport(wish.report, sound)
  return isWrong ? 1 : 0
}

function chosenModes({ modes, smoke, report, pages, maxUrls }: BenchWish): readonly string[] {
  const known = [...modeNames, 'all']
  for (const mode of modes)
    if (!known.includes(mode))
      throw new UsageError(`There is no mode "${mode}".${nearest(mode, known)} There are ${known.join(', ')}.`)
  if (smoke && report !== undefined) throw new UsageError('--smoke gives no figures worth a report: leave one out.')
  if (maxUrls !== undefined && pages === undefined && !modes.some((mode) => mode === growthMode || mode === 'all'))
    throw new UsageError('--max-urls is for the mode growth.')
  if (modes.length === 0) return [modeNames[0]!]
  return modes.includes('all') ? modeNames : [...new Set(modes)]
}

type Measurement = (options: BenchOptions) => Promise<Measured<Result>>

/** Also checks that the mode can be measured as wished, before anything starts. */
function measurementOf(name: string, wish: BenchWish): Measurement {
  if (name === growthMode) {
    const plan = growthPlan(wish)
    return (options) => runGrowth(plan, options)
  }
  const mode = sized(crawlModes.find((one) => one.name === name)!, wish)
  return (options) => runMode(mode, options)
}

function sized(mode: Mode, { smoke, pages }: BenchWish): Mode {
  const base = smoke ? smokeOf(mode) : mode
  if (pages !== undefined && pages < base.hosts)
    throw new UsageError(`${mode.name} has ${base.hosts} hosts with a page each: --pages must not be less.`)
  return { ...base, pages: pages ?? base.pages }
}

function checkCorpus(folder: string | undefined): void {
  try {
    corpusFolder(folder)
  } catch (cause) {
    throw new UsageError(`--corpus: ${(cause as Error).message}.`, { cause })
  }
}

function print(results: readonly Result[], terminal: Terminal): void {
  const [first] = results
  if (!first) return
  const { averages, pageSource, machine } = first
  const pages = pageSource === 'corpus' ? 'real pages' : 'invented pages like real ones'
  const weight = `${showBytes(averages.plainBytes)} (${showBytes(averages.gzipBytes)} compressed), ${averages.links.toFixed(0)} links`
  terminal.print(dim(describeMachine(machine)))
  terminal.print(dim(`${pages}, on average ${weight}`))
  const { modes, growth } = apart(results)
  const columns = stageColumns(modes)
  const growthStages = growth ? growthColumns(growth) : []
  const grids = [
    ...(modes.length > 0 ? [modesGrid(modes), bytesGrid(modes)] : []),
    ...(columns.length > 0 ? [stagesGrid(columns)] : []),
    ...(growth ? [growthGrid(growth)] : []),
    ...(growthStages.length > 0 ? [stagesGrid(growthStages)] : []),
  ]
  for (const grid of grids) printGrid(grid, terminal)
}

function printGrid(grid: Grid, terminal: Terminal): void {
  const [heads, ...rows] = gridText(grid)
  terminal.print(`\n${bold(heads!)}`)
  for (const row of rows) terminal.print(row)
}

/** Ctrl-C ends the crawl under way and cleans up; a second one ends the process at once. */
function onStop(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}
