import { aboutUs } from '../about-us.ts'
import type { Config } from '../config/schema.ts'
import { UsageError } from '../config/usage-error.ts'
import { startReader } from '../reading/start-reader.ts'
import { type RunningCrawl, runningCrawl } from '../running-crawl.ts'
import { intervalsOf } from '../schedule/config.ts'
import type { FetchedPage, Stream } from '../stream/stream.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import type { EndReason } from '../worker/worker.ts'
import { configOf, seedsOf } from './crawl-orders.ts'
import type { FleetWorkerOptions } from './fleet-worker.ts'
import { type FleetPorts, openFleetPorts } from './open-ports.ts'
import { parseCrawl } from './parsing-crawl.ts'
import { type CrawlEntry, type CrawlOrders, orderIn } from './registry/crawls.ts'

/** One worker's part in one crawl of the fleet. */
export class MemberCrawl {
  readonly ended: Promise<void>
  /** Names the order by which it works. */
  readonly order: string
  readonly #id: string
  readonly #options: FleetWorkerOptions
  readonly #draining = new AbortController()
  #running: RunningCrawl | undefined
  #pagesBefore = 0
  #isConcluded = false

  constructor(id: string, order: string, options: FleetWorkerOptions) {
    this.#id = id
    this.order = order
    this.#options = options
    this.ended = this.#work()
  }

  get openHosts(): number {
    return this.#running?.openHosts ?? 0
  }

  get waitingHosts(): number {
    return this.#running?.waitingHosts ?? 0
  }

  get pages(): number {
    return this.#pagesBefore + (this.#running?.pagesHere ?? 0)
  }

  /** The crawl has come to its end. */
  get isConcluded(): boolean {
    return this.#isConcluded
  }

  /** Begins no further visit; those under way end, and hosts are handed back. */
  drain(): void {
    this.#draining.abort()
    this.#running?.drain()
  }

  /** Never rejects: what goes wrong here is this worker's trouble, and others go on with the crawl. */
  async #work(): Promise<void> {
    const { fleet, log } = this.#options
    while (!this.#draining.signal.aborted) {
      try {
        const before = this.pages
        const reason = await this.#run()
        if (reason !== 'stopped') await this.#conclude(reason)
        log(`${this.#id}: ${endings[reason]}, ${this.pages - before} pages by this worker`)
        return
      } catch (error) {
        log(`${this.#id}: ${(error as Error).message} Tries again in ${retryMs / 1000} s.`)
        await fleet.clock.sleep(retryMs, this.#draining.signal)
      }
    }
  }

  async #run(): Promise<EndReason> {
    const { fleet, log, role, id: worker } = this.#options
    const entry = await fleet.crawls.get(this.#id)
    if (!entry) return 'stopped'
    const config = this.#configOf(entry)
    const seeds = seedsOf(entry.orders, config)
    await using stack = new AsyncDisposableStack()
    const reader = role === 'parse' ? undefined : stack.use(startReader(config.worker.threads))
    const { signal: draining } = this.#draining
    const ports = stack.use(
      await openFleetPorts(fleet, {
        ...{ crawl: this.#id, worker, config, about: aboutUs(config) },
        ...{ visits: role !== 'parse', hurry: draining },
      }),
    )
    log(`${this.#id}: begins`)
    if (!reader) return await this.#parse(ports, config, seeds)
    const handOn = role === 'fetch' ? { crawl: this.#id, tell: tellingParsers(ports, config) } : undefined
    const running = await runningCrawl({
      ...{ ports, config, seeds, reader, onPage: undefined, isShared: true },
      ...(handOn && { handOn }),
    })
    const reason = await this.#visit(running, ports)
    if (role === 'all') await this.#takeBackBeyond(config, ports)
    return reason
  }

  async #visit(running: RunningCrawl, { frontier }: FleetPorts): Promise<EndReason> {
    this.#running = running
    try {
      if (this.#draining.signal.aborted) return 'stopped'
      await this.#seed(running)
      const reason = await running.run()
      if (reason === 'stopped' && (await frontier.counts()).leased === 0)
        await this.#options.fleet.crawls.setState(this.#id, 'stopped', '', { from: ['stopping'] })
      return reason
    } finally {
      this.#pagesBefore += running.pagesHere
      this.#running = undefined
    }
  }

  /**
   * Everybody looks when it ends, so that the last one sees what any of them left. Of a crawl that visits pages again the
   * records of pages that wait are no leftovers.
   */
  async #takeBackBeyond({ limits: { maxPages }, recrawl }: Config, ports: FleetPorts): Promise<void> {
    const { fleet, log } = this.#options
    if (maxPages === 0 || intervalsOf(recrawl) || ((await ports.frontier.sums()).pages ?? 0) < maxPages) return
    const entry = await fleet.crawls.get(this.#id)
    // With other limits it goes on already.
    if (!entry || (entry.state === 'running' && orderIn(entry) !== this.order)) return
    const takenBack = await ports.takeBackUnsettled()
    if (takenBack > 0) log(`${this.#id}: took back ${takenBack} pages that were beyond the limit`)
  }

  async #parse(ports: FleetPorts, config: Config, seeds: readonly CanonicalUrl[]): Promise<EndReason> {
    const { signal: draining } = this.#draining
    const onPage = () => void this.#pagesBefore++
    await parseCrawl({ ports, stream: streamOf(ports, config), config, seeds, draining, onPage })
    return 'stopped'
  }

  /** The first worker offers the seeds, of which there may be many. */
  async #seed(running: RunningCrawl): Promise<void> {
    const facts = this.#options.fleet.factsOf(this.#id)
    if ((await facts.get(seeded)) !== undefined) return
    await running.seed()
    await facts.set(seeded, 1)
  }

  /** The machine's limits are the worker's business, the time that a crawl may take counts from when it was last begun. */
  #configOf({ orders, changedAt: runningSince }: CrawlEntry & { orders: CrawlOrders }): Config {
    const { fleet, concurrency, threads } = this.#options
    const config = configOf(orders, fleet.engines)
    const { maxDurationMs } = config.limits
    const leftMs = maxDurationMs === 0 ? 0 : Math.max(1, runningSince + maxDurationMs - fleet.clock.now())
    const { worker } = config
    return {
      ...config,
      limits: { ...config.limits, maxDurationMs: leftMs },
      worker: { ...worker, concurrency: concurrency ?? worker.concurrency, threads: threads ?? worker.threads },
    }
  }

  /** What somebody has ended before and begun anew is not ended by those who are late. */
  async #conclude(reason: 'finished' | 'limit'): Promise<void> {
    this.#isConcluded = true
    const detail = reason === 'limit' ? 'a limit was reached' : ''
    const condition = { from: ['running'], order: this.order } as const
    await this.#options.fleet.crawls.setState(this.#id, 'finished', detail, condition)
  }
}

function tellingParsers(ports: FleetPorts, config: Config): (page: FetchedPage) => void {
  streamOf(ports, config)
  return (page) => ports.letters!.hold(page)
}

function streamOf({ stream }: FleetPorts, { store }: Config): Stream {
  if (!stream)
    throw new UsageError('Workers that only fetch or parse need Kafka between them: set engines.kafka.brokers.')
  if (!store.archive) throw new UsageError('Who parses reads from the archive, and this crawl keeps none.')
  return stream
}

const endings = { finished: 'finished', limit: 'a limit was reached', stopped: 'leaves it' } as const

const retryMs = 10_000
const seeded = 'seeded'
