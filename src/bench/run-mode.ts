import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCrawlFolder } from '../embedded/crawl-folder.ts'
import { openReader } from '../embedded/open-reader.ts'
import { tallyOf } from '../worker/tally.ts'
import { countFaults } from './counts.ts'
import { type CrawlRun, runCrawlProcess } from './crawl-process.ts'
import { figuresOf, type ModeResult, type Round, type Setting } from './figures.ts'
import { folderSize } from './folder-size.ts'
import { thisMachine } from './machine.ts'
import type { Mode } from './modes.ts'
import type { Pinning } from './pinning.ts'
import type { BenchProgress } from './progress.ts'
import { type BenchSite, openSite } from './site.ts'

export interface BenchOptions {
  readonly rounds: number
  /** Whether the cost of each stage is wanted, which takes one more crawl. */
  readonly withStages: boolean
  readonly corpus: string | undefined
  readonly pinning: Pinning | undefined
  readonly progress: BenchProgress
  readonly signal: AbortSignal
}

/** A result, and what was wrong with the counts of any of its crawls. */
export interface Measured<Result> {
  readonly result: Result
  readonly faults: readonly string[]
}

/** Crawls the site of a mode in a few rounds, and once more with the profiler. */
export async function runMode(mode: Mode, options: BenchOptions): Promise<Measured<ModeResult>> {
  const { rounds, withStages, progress } = options
  progress.begin(`${mode.name}: preparing ${mode.pages} pages`)
  await using site = await openSite(mode, options)
  const faults: string[] = []
  const measured: Round[] = []
  for (let n = 1; n <= rounds; n++) {
    progress.begin(`${mode.name}, round ${n} of ${rounds}`)
    measured.push(await crawlOnce(mode, site, options, undefined, faults))
  }
  let profiled: CrawlRun | undefined
  if (withStages) {
    progress.begin(`${mode.name}, once more with the profiler`)
    profiled = (await crawlOnce(mode, site, options, 'all', faults)).run
  }
  progress.end()
  const setting = settingOf(site, mode.hosts, options)
  return { result: { mode: mode.name, ...setting, ...figuresOf(measured, profiled) }, faults }
}

export function settingOf({ pageSource, averages }: BenchSite, hosts: number, { pinning }: BenchOptions): Setting {
  const machine = thisMachine(pinning !== undefined)
  return { hosts, pageSource, averages, measuredAt: new Date().toISOString(), machine }
}

/** Faults, and after them what the crawl met on its way: most often that is why. */
export async function explained(faults: readonly string[], out: string): Promise<readonly string[]> {
  if (faults.length === 0) return faults
  await using reader = await openReader(openCrawlFolder(out))
  const met = Object.entries(tallyOf(await reader.ledger.sums()).errors).map(([name, count]) => `${name} ${count}`)
  return met.length === 0 ? faults : [...faults, `errors on the way were ${met.join(', ')}`]
}

async function crawlOnce(
  mode: Mode,
  site: BenchSite,
  { pinning, signal, progress }: BenchOptions,
  withStacks: 'all' | undefined,
  faults: string[],
): Promise<Round> {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'))
  const out = join(scratch, 'crawl')
  try {
    await site.reset()
    const siteCpuBefore = await site.cpuMs()
    const run = await runCrawlProcess({
      args: ['crawl', '--seeds', site.seedFile, '--config', site.configFile, '--out', out],
      cores: pinning?.crawler,
      onPages: (pages) => progress.at(pages, mode.pages, 'pages'),
      ...{ withStacks, signal },
    })
    const siteCpuMs = (await site.cpuMs()) - siteCpuBefore
    const expected = { pages: mode.pages, robots: mode.hosts }
    faults.push(...(await explained(countFaults(expected, run.summary, await site.counts()), out)))
    return { run, kept: folderSize(out), siteCpuMs }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
