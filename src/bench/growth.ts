/**
 * What a page costs as a crawl comes to know more URLs: the same site is crawled from folders that know ten thousand to
 * ten million beforehand. What opening such a folder costs is told apart.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { layout } from '../../bench/site/layout.ts'
import { showCount } from '../cli/units.ts'
import { loadConfig, type Tree } from '../config/load.ts'
import { UsageError } from '../config/usage-error.ts'
import { createCrawlFolder, openCrawlFolder } from '../embedded/crawl-folder.ts'
import type { Candidate } from '../frontier/frontier.ts'
import type { Summary } from '../summary.ts'
import { type CanonicalUrl, hostKeyOf } from '../url/keys.ts'
import { countFaults } from './counts.ts'
import { type CrawlRun, runCrawlProcess } from './crawl-process.ts'
import { type Figures, figuresOf, type Round, type Setting } from './figures.ts'
import { folderSize } from './folder-size.ts'
import { fillFolder } from './known-folder.ts'
import { growthMode } from './modes.ts'
import { type BenchOptions, explained, type Measured, settingOf } from './run-mode.ts'
import { type BenchSite, openSite } from './site.ts'

export interface GrowthStep extends Figures {
  readonly knownUrls: number
  /** Starting the program and opening the folder. */
  readonly openCpuMs: number
}

export interface GrowthResult extends Setting {
  readonly mode: typeof growthMode
  readonly steps: readonly GrowthStep[]
}

export interface GrowthPlan {
  readonly hosts: number
  /** Of the site; the first four of five are known beforehand, so that a fifth of its links is new. */
  readonly sitePages: number
  /** Crawled before anything is measured: connections, robots.txt and the first commits are behind it. */
  readonly warmPages: number
  readonly pages: number
  readonly knownUrls: readonly number[]
}

const fullSizes = [10_000, 100_000, 1_000_000, 10_000_000]
const smokeSizes = [400, 4000]

export interface GrowthWish {
  readonly smoke: boolean
  readonly pages: number | undefined
  /** Leaves out the sizes above. */
  readonly maxUrls: number | undefined
}

export function growthPlan({ smoke, pages, maxUrls }: GrowthWish): GrowthPlan {
  const sizes = smoke ? smokeSizes : fullSizes
  const [least] = sizes as [number]
  const knownUrls = sizes.filter((urls) => maxUrls === undefined || urls <= maxUrls)
  if (knownUrls.length === 0) throw new UsageError(`growth begins at ${least} URLs: --max-urls must not be less.`)
  // Twice so many are crawled, the second time with the profiler, and the site must not come to its end.
  const maxPages = least / 2
  if (pages !== undefined && pages > maxPages) throw new UsageError(`growth crawls at most ${maxPages} pages.`)
  const counts = { pages: pages ?? (least * 2) / 5, sitePages: least * 1.25, warmPages: least / 50 }
  return { hosts: smoke ? 4 : 10, knownUrls, ...counts }
}

export async function runGrowth(plan: GrowthPlan, options: BenchOptions): Promise<Measured<GrowthResult>> {
  const { rounds, withStages, progress } = options
  await using site = await openSite({ ...plan, pages: plan.sitePages, tls: false, keepAlive: true }, options)
  await using scratch = scratchFolder()
  for (const [n, urls] of plan.knownUrls.entries()) await prepare(plan, n, site, scratch.path, options, urls)

  const measured = plan.knownUrls.map((): Opened[] => [])
  const profiled: (CrawlRun | undefined)[] = []
  const faults: string[] = []
  // Round by round over all sizes: what disturbs the machine for a while disturbs all of them.
  for (let round = 1; round <= rounds; round++)
    for (const [n, urls] of plan.knownUrls.entries()) {
      progress.begin(`growth, ${showCount(urls)} known URLs, round ${round} of ${rounds}`)
      const folder = join(scratch.path, 'crawl')
      await cp(join(scratch.path, String(urls)), folder, { recursive: true })
      const crawl = new GrowingCrawl(folder, site, plan, options)
      await crawl.warmUp()
      measured[n]!.push(await crawl.measure(undefined))
      if (withStages && round === rounds) profiled[n] = (await crawl.measure('under-way')).run
      faults.push(...crawl.faults.map((fault) => `at ${showCount(urls)} known URLs ${fault}`))
      rmSync(folder, { recursive: true })
    }
  progress.end()
  const steps = plan.knownUrls.map((knownUrls, n) => ({
    ...{ knownUrls, openCpuMs: Math.min(...measured[n]!.map(({ openCpuMs }) => openCpuMs)) },
    ...figuresOf(measured[n]!, profiled[n]),
  }))
  return { result: { mode: growthMode, ...settingOf(site, plan.hosts, options), steps }, faults }
}

/** Makes the folder of one size from that of the size before. */
async function prepare(
  plan: GrowthPlan,
  n: number,
  site: BenchSite,
  scratch: string,
  { progress, signal }: BenchOptions,
  urls: number,
): Promise<void> {
  progress.begin(`growth: feeding ${showCount(urls)} URLs`)
  const path = join(scratch, String(urls))
  const from = n === 0 ? 0 : plan.knownUrls[n - 1]!
  if (n === 0) createCrawlFolder(path, site.seeds, site.settings)
  else await cp(join(scratch, String(from)), path, { recursive: true })
  const folder = openCrawlFolder(path)
  const { config } = loadConfig({ base: folder.orders.config as Tree })
  const knowledge = { ofSite: knownPages(plan, site), from, to: urls }
  await fillFolder(folder, config, knowledge, (done) => progress.at(done, urls, 'URLs'), signal)
}

function knownPages({ sitePages, hosts }: GrowthPlan, { seeds }: BenchSite): Candidate[] {
  const { pathOf, pagesOf } = layout(sitePages, hosts)
  return seeds.flatMap((seed, host) =>
    Array.from({ length: Math.floor((pagesOf(host) * 4) / 5) }, (_, page) => {
      const url = new URL(pathOf(page), seed).href as CanonicalUrl
      return { url, host: hostKeyOf(url, 'host'), band: 'low', depth: 3, parent: null, redirects: 0 } as const
    }),
  )
}

interface Opened extends Round {
  readonly openCpuMs: number
}

/** One crawl in a prepared folder, which goes on by some pages at a time. */
class GrowingCrawl {
  readonly #folder: string
  readonly #site: BenchSite
  readonly #plan: GrowthPlan
  readonly #options: BenchOptions
  readonly faults: string[] = []
  #pages = 0
  #before: Summary | undefined

  constructor(folder: string, site: BenchSite, plan: GrowthPlan, options: BenchOptions) {
    this.#folder = folder
    this.#site = site
    this.#plan = plan
    this.#options = options
  }

  async warmUp(): Promise<void> {
    this.#before = (await this.#crawl(this.#plan.warmPages, undefined)).summary
  }

  /** Crawls some pages, and counts from when the folder is open and the crawl under way. */
  async measure(withStacks: 'under-way' | undefined): Promise<Opened> {
    const sizeBefore = folderSize(this.#folder)
    await this.#site.reset()
    const siteCpuBefore = await this.#site.cpuMs()
    const whole = await this.#crawl(this.#plan.pages, withStacks)
    const siteCpuMs = (await this.#site.cpuMs()) - siteCpuBefore
    const sizeAfter = folderSize(this.#folder)
    const expected = { pages: this.#plan.pages, robots: 0 }
    const faults = countFaults(expected, sinceThen(whole.summary, this.#before!), await this.#site.counts())
    this.faults.push(...(await explained(faults, this.#folder)))
    this.#before = whole.summary
    const run = onceUnderWay(whole)
    const kept = {
      archiveBytes: (sizeAfter.archiveBytes - sizeBefore.archiveBytes) * (run.summary.pages / this.#plan.pages),
      databaseBytes: (sizeAfter.databaseBytes - sizeBefore.databaseBytes) * (run.summary.pages / this.#plan.pages),
    }
    const pagesWhileOpening = this.#plan.pages - run.summary.pages
    const openCpuMs = whole.usage.cpuMs - run.usage.cpuMs - (pagesWhileOpening * run.usage.cpuMs) / run.summary.pages
    return { run, kept, siteCpuMs, openCpuMs: Math.max(0, openCpuMs) }
  }

  async #crawl(pages: number, withStacks: 'under-way' | undefined): Promise<CrawlRun> {
    const { pinning, signal, progress } = this.#options
    const before = this.#pages
    this.#pages += pages
    return runCrawlProcess({
      args: ['resume', '--max-pages', String(this.#pages), '--out', this.#folder],
      cores: pinning?.crawler,
      onPages: (done) => progress.at(done - before, pages, 'pages'),
      ...{ withStacks, signal },
    })
  }
}

/** The part of a run that came after the crawl was first seen at work: opening a folder of millions is not what pages cost. */
export function onceUnderWay(run: CrawlRun): CrawlRun {
  const { summary, usage, underWay } = run
  if (!underWay) return run
  const { helperMs, writtenBytes, cpuMs } = underWay.usage
  const written = usage.writtenBytes
  return {
    ...run,
    summary: {
      ...sinceThen(summary, underWay.done),
      durationMs: Math.max(1, summary.durationMs - underWay.elapsedMs),
      cpuMs: usage.cpuMs - cpuMs,
    },
    usage: {
      ...usage,
      cpuMs: usage.cpuMs - cpuMs,
      helperMs: { engine: usage.helperMs.engine - helperMs.engine, pool: usage.helperMs.pool - helperMs.pool },
      writtenBytes: written === null ? null : written - (writtenBytes ?? 0),
    },
  }
}

/** Counts of a crawl less those it had before. */
function sinceThen(summary: Summary, before: Pick<Summary, 'pages' | 'requests' | 'bytes'>): Summary {
  return {
    ...summary,
    pages: summary.pages - before.pages,
    requests: summary.requests - before.requests,
    bytes: summary.bytes - before.bytes,
  }
}

function scratchFolder(): AsyncDisposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'orbweaver-growth-'))
  return {
    path,
    async [Symbol.asyncDispose]() {
      rmSync(path, { recursive: true, force: true })
    },
  }
}
