/**
 * What a page costs as a crawl comes to know more URLs: the same site is crawled from folders that know ten thousand to
 * ten million beforehand. What opening such a folder costs is measured alone and taken off.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { layout } from '../../bench/site/layout.ts'
import { loadConfig, type Tree } from '../config/load.ts'
import { UsageError } from '../config/usage-error.ts'
import { createCrawlFolder, openCrawlFolder } from '../embedded/crawl-folder.ts'
import type { Candidate } from '../frontier/frontier.ts'
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
  /** Starting the program, opening and closing the folder. */
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
/** So that the site's known pages are no more than the first size. */
const maxPages = fullSizes[0]! / 5

export interface GrowthWish {
  readonly smoke: boolean
  readonly pages: number | undefined
  /** Leaves out the sizes above. */
  readonly maxUrls: number | undefined
}

export function growthPlan({ smoke, pages = smoke ? 80 : maxPages, maxUrls }: GrowthWish): GrowthPlan {
  const sizes = smoke ? smokeSizes : fullSizes
  const knownUrls = sizes.filter((urls) => maxUrls === undefined || urls <= maxUrls)
  if (pages * 5 > sizes[0]!) throw new UsageError(`growth crawls at most ${sizes[0]! / 5} pages.`)
  if (knownUrls.length === 0) throw new UsageError(`growth begins at ${sizes[0]} URLs: --max-urls must not be less.`)
  const hosts = smoke ? 4 : 10
  return { hosts, pages, knownUrls, sitePages: Math.ceil(pages * 6.25), warmPages: Math.ceil(pages / 10) }
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
      progress.begin(`growth, ${urls.toLocaleString('en-US')} known URLs, round ${round} of ${rounds}`)
      const folder = join(scratch.path, 'crawl')
      await cp(join(scratch.path, String(urls)), folder, { recursive: true })
      const crawl = new GrowingCrawl(folder, site, plan, options, faults)
      await crawl.warmUp()
      measured[n]!.push(await crawl.measure(false))
      if (withStages && round === rounds) profiled[n] = (await crawl.measure(true)).run
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
  progress.begin(`growth: feeding ${urls.toLocaleString('en-US')} URLs`)
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
  readonly #faults: string[]
  #pages = 0

  constructor(folder: string, site: BenchSite, plan: GrowthPlan, options: BenchOptions, faults: string[]) {
    this.#folder = folder
    this.#site = site
    this.#plan = plan
    this.#options = options
    this.#faults = faults
  }

  async warmUp(): Promise<void> {
    await this.#crawl(this.#plan.warmPages, false)
  }

  /** Opens the folder without crawling, then crawls some pages, and takes the one off the other. */
  async measure(withStacks: boolean): Promise<Opened> {
    const opening = await this.#crawl(0, withStacks)
    const before = folderSize(this.#folder)
    await this.#site.reset()
    const siteCpuBefore = await this.#site.cpuMs()
    const run = await this.#crawl(this.#plan.pages, withStacks)
    const siteCpuMs = (await this.#site.cpuMs()) - siteCpuBefore
    const after = folderSize(this.#folder)
    const beyond = beyondOpening(run, opening)
    const faults = countFaults({ pages: this.#plan.pages, robots: 0 }, beyond.summary, await this.#site.counts())
    this.#faults.push(...(await explained(faults, this.#folder)))
    const kept = {
      archiveBytes: after.archiveBytes - before.archiveBytes,
      databaseBytes: after.databaseBytes - before.databaseBytes,
    }
    return { run: beyond, kept, siteCpuMs, openCpuMs: opening.usage.cpuMs }
  }

  async #crawl(pages: number, withStacks: boolean): Promise<CrawlRun> {
    const { pinning, signal, progress } = this.#options
    const before = this.#pages
    this.#pages += pages
    return runCrawlProcess({
      args: ['resume', '--max-pages', String(this.#pages), '--out', this.#folder],
      cores: pinning?.crawler,
      onPages: (done) => pages > 0 && progress.at(done - before, pages, 'pages'),
      ...{ withStacks, signal },
    })
  }
}

/** What a run did and used beyond opening the folder. Samples of the opening count against it. */
export function beyondOpening(run: CrawlRun, opening: CrawlRun): CrawlRun {
  const { summary, usage, stacks } = run
  const written = usage.writtenBytes
  return {
    summary: {
      ...summary,
      pages: summary.pages - opening.summary.pages,
      requests: summary.requests - opening.summary.requests,
      bytes: summary.bytes - opening.summary.bytes,
      durationMs: Math.max(1, summary.durationMs - opening.summary.durationMs),
      cpuMs: summary.cpuMs - opening.summary.cpuMs,
    },
    usage: {
      ...usage,
      cpuMs: usage.cpuMs - opening.usage.cpuMs,
      helperMs: {
        engine: usage.helperMs.engine - opening.usage.helperMs.engine,
        pool: usage.helperMs.pool - opening.usage.helperMs.pool,
      },
      writtenBytes: written === null ? null : written - (opening.usage.writtenBytes ?? 0),
    },
    stacks: [...stacks, ...opening.stacks.map(({ frames, us }) => ({ frames, us: -us }))],
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
