import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { aboutUs } from '../../../about-us.ts'
import { type FolderCrawl, openCrawl } from '../../../app.ts'
import { configOfOrders, loadConfig, type Tree } from '../../../config/load.ts'
import type { Config } from '../../../config/schema.ts'
import { amendCrawlFolder, type CrawlFolder, isLocked } from '../../../embedded/crawl-folder.ts'
import { openEmbedded } from '../../../embedded/open-embedded.ts'
import { type FolderReader, hasMore, openReader } from '../../../embedded/open-reader.ts'
import type { Admission, Candidate } from '../../../frontier/frontier.ts'
import type { DeadFilter } from '../../../frontier/ledger.ts'
import type { HostDecisions } from '../../../politeness/host-decisions.ts'
import type { CrawlChanges, CrawlState, CrawlSummary } from '../../../server/api/schemas/crawl.ts'
import type { CrawlCounters } from '../../operations.ts'
import { Refusal } from '../../refusal.ts'

/** A crawl in a folder, whether it runs, here or in another process, or has ended. */
export class CrawlSite implements AsyncDisposable {
  readonly id: string
  readonly #decisions: HostDecisions
  #folder: CrawlFolder
  #running: FolderCrawl | undefined
  /** Resolves when a run that was begun here has ended and its folder is closed. */
  #ended: Promise<void> | undefined
  #isStopping = false
  #failure = ''
  #changedAt: number
  #reader: Promise<FolderReader> | undefined

  constructor(folder: CrawlFolder, decisions: HostDecisions) {
    this.id = siteName(folder.path)
    this.#folder = folder
    this.#decisions = decisions
    this.#changedAt = Date.parse(folder.orders.createdAt)
  }

  get isRunningHere(): boolean {
    return this.#running !== undefined
  }

  get config(): Config {
    return configOfOrders(this.#folder.orders)
  }

  /** A crawl that others have begun in this process, and end. */
  adopt(crawl: FolderCrawl): void {
    this.#running = crawl
  }

  /** Begins or goes on. Resolves when it is under way. */
  async start(): Promise<void> {
    this.#refuseElsewhere()
    const crawl = await openCrawl(this.#folder, this.config, undefined, this.#decisions)
    this.#running = crawl
    this.#failure = ''
    this.#changed()
    this.#ended = this.#run(crawl)
  }

  async #run(crawl: FolderCrawl): Promise<void> {
    try {
      await crawl.run()
    } catch (error) {
      this.#failure = (error as Error).message
    } finally {
      await crawl[Symbol.asyncDispose]()
      this.#running = undefined
      this.#isStopping = false
      this.#changed()
    }
  }

  pause(): void {
    this.#held().pause()
    this.#changed()
  }

  /** False: it does not run here, so it has to be started. */
  goOn(): boolean {
    if (this.#isStopping) throw new Refusal('conflict', `${this.id} is stopping: resume it when it has stopped.`)
    this.#running?.resume()
    this.#changed()
    return this.#running !== undefined
  }

  stop(): void {
    this.#held().drain()
    this.#isStopping = true
    this.#changed()
  }

  change({ maxPages, maxDurationMs, delayMs, maxLinksPerPage }: CrawlChanges): void {
    const overrides = {
      'limits.maxPages': maxPages,
      'limits.maxDurationMs': maxDurationMs,
      'limits.maxLinksPerPage': maxLinksPerPage,
      'politeness.delayMs': delayMs,
    }
    if (!this.#running) this.#refuseElsewhere()
    const { given } = loadConfig({ base: this.#folder.orders.config as Tree, overrides })
    this.#folder = amendCrawlFolder(this.#folder, given)
    this.#running?.change({ maxPages, maxDurationMs, delayMs, maxLinksPerPage })
  }

  async offer(candidates: readonly Candidate[]): Promise<readonly Admission[]> {
    if (this.#running) return this.#running.offer(candidates)
    this.#refuseElsewhere()
    const { config } = this
    await using ports = await openEmbedded(this.#folder, config, aboutUs(config), this.#decisions)
    const admissions = await ports.frontier.offer(candidates)
    await ports.frontier.sync()
    return admissions
  }

  async correctDead(verb: 'retryDead' | 'dropDead', filter: DeadFilter): Promise<number> {
    if (this.#running) return this.#running[verb](filter)
    this.#refuseElsewhere()
    await using reader = await openReader(this.#folder, 'exclusive')
    return await reader.ledger[verb](filter)
  }

  async read(): Promise<FolderReader> {
    this.#reader ??= openReader(this.#folder)
    try {
      return { ...(await this.#reader), orders: this.#folder.orders, state: async () => (await this.summary()).state }
    } catch (error) {
      this.#reader = undefined
      throw error
    }
  }

  async summary(): Promise<CrawlSummary> {
    const { seeds, createdAt } = this.#folder.orders
    const { state, detail } = await this.#state()
    const moments = { createdAt: Date.parse(createdAt), changedAt: this.#changedAt }
    return { id: this.id, state, detail, seedCount: seeds.length, ...moments }
  }

  async counters(): Promise<CrawlCounters | undefined> {
    if (!this.#running) return undefined
    const { tally, counts, openHosts, outlook } = await this.#running.progress()
    const { state } = await this.#state()
    const bands = this.#running.openByBand()
    const { maxPages } = this.config.limits
    return { id: this.id, state, tally, counts, bands, carried: 0, openHosts, maxPages, outlook }
  }

  async remove(): Promise<void> {
    if (this.#running) throw new Refusal('conflict', `${this.id} runs: stop it first.`)
    this.#refuseElsewhere()
    await this[Symbol.asyncDispose]()
    await rm(this.#folder.path, { recursive: true, force: true })
  }

  /** A run that was begun here ends in order. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ended) this.#running?.drain()
    await this.#ended
    const reader = this.#reader
    this.#reader = undefined
    await (await reader)?.[Symbol.asyncDispose]()
  }

  async #state(): Promise<{ state: CrawlState; detail: string }> {
    if (this.#running) {
      if (this.#isStopping) return { state: 'stopping', detail: '' }
      return { state: this.#running.isPaused ? 'paused' : 'running', detail: '' }
    }
    if (this.#failure !== '') return { state: 'failed', detail: this.#failure }
    if (isLocked(this.#folder)) return { state: 'running', detail: 'in another process' }
    return this.#endState()
  }

  async #endState(): Promise<{ state: CrawlState; detail: string }> {
    const reader = await this.read()
    if (!(await hasMore(reader))) return { state: 'finished', detail: '' }
    const { maxPages } = this.config.limits
    const { pages = 0 } = await reader.ledger.sums()
    const isFull = maxPages > 0 && pages >= maxPages
    return isFull ? { state: 'finished', detail: 'a limit was reached' } : { state: 'stopped', detail: '' }
  }

  #held(): FolderCrawl {
    this.#refuseElsewhere()
    if (!this.#running) throw new Refusal('conflict', `${this.id} does not run.`)
    return this.#running
  }

  #refuseElsewhere(): void {
    if (!this.#running && isLocked(this.#folder))
      throw new Refusal('conflict', `${this.id} runs in another process: change it there.`)
  }

  #changed(): void {
    this.#changedAt = Date.now()
  }
}

/** The folder's name, as far as it can be the name of a crawl. */
export function siteName(path: string): string {
  const name = basename(path).replaceAll(/[^A-Za-z0-9._-]/g, '-')
  return name.replace(/^[^A-Za-z0-9]+/, '').slice(0, 64) || 'crawl'
}
