import { availableParallelism, hostname } from 'node:os'
import { evictionFault, parsedInfo } from '../engines/redis/info.ts'
import { patiently } from '../engines/redis/patience.ts'
import { openMetrics } from '../monitor/metrics.ts'
import { version } from '../version.ts'
import { memoryOfMachine } from '../worker/machine.ts'
import type { Fleet } from './fleet.ts'
import { MemberCrawl } from './member-crawl.ts'
import { type CrawlEntry, orderIn } from './registry/crawls.ts'

export type Role = 'all' | 'fetch' | 'parse'

export interface FleetWorkerOptions {
  readonly fleet: Fleet
  /** Unique in the fleet. */
  readonly id: string
  readonly region: string
  readonly role: Role
  /** Only this crawl; all that are running otherwise. */
  readonly crawl: string | undefined
  /** This machine's business, and not the crawl's. `null`: as the crawl says. */
  readonly threads: number | null
  readonly concurrency: number | null
  readonly log: (line: string) => void
}

/**
 * One member of a fleet: works on every crawl that is running there. It keeps nothing of its own, so it may be killed at
 * any moment: what it held returns by itself.
 */
export class FleetWorker {
  readonly #options: FleetWorkerOptions
  readonly #crawls = new Map<string, MemberCrawl>()
  /** The order of each crawl that there is to work on. */
  #wanted: ReadonlyMap<string, string> = new Map()
  /** Of crawls that have ended. */
  #pagesBefore = 0

  constructor(options: FleetWorkerOptions) {
    this.#options = options
  }

  /** Until `leaving`: then begins nothing more, ends what is under way, and hands back the rest. */
  async run(leaving: AbortSignal): Promise<void> {
    const { fleet, id, region, role, log } = this.#options
    using metrics = openMetrics(fleet.clock)
    const card = { id, host: hostname(), pid: process.pid, region, role, version, startedAt: Date.now() }
    await using membership = await fleet.workers.join(card, () => ({ ...metrics.stats(), ...this.#stats() }))
    log(`Worker ${id} has joined the fleet. Ctrl-C makes it leave.`)
    await this.#sayWhatIsWrong()
    const over = AbortSignal.any([leaving, membership.replaced])
    for await (const active of fleet.crawls.watch(over)) {
      if (over.aborted) break
      this.#workOn(active.filter(({ state }) => state === 'running'))
    }
    if (membership.replaced.aborted) log(`${(membership.replaced.reason as Error).message} This worker leaves.`)
    this.#workOn([])
    await Promise.all([...this.#crawls.values()].map(({ ended }) => ended))
  }

  /** What whoever has started it would wonder about later. */
  async #sayWhatIsWrong(): Promise<void> {
    const { fleet, crawl, log } = this.#options
    const { redis, clock, crawls } = fleet
    const eviction = evictionFault(parsedInfo(await patiently(redis, clock, () => redis.info('memory'))))
    if (eviction !== undefined) log(`Redis may lose what it is given: ${eviction}`)
    if (crawl === undefined) return
    const entry = await crawls.get(crawl)
    if (!entry) log(`There is no crawl "${crawl}" yet: waiting for it.`)
    else if (entry.state !== 'running') log(`The crawl "${crawl}" is ${entry.state}: waiting until it is resumed.`)
  }

  #workOn(running: readonly CrawlEntry[]): void {
    const { crawl: only } = this.#options
    const wanted = only === undefined ? running : running.filter(({ id }) => id === only)
    this.#wanted = new Map(wanted.map((entry) => [entry.id, orderIn(entry)]))
    // One that has other orders ends here, and begins again with them.
    for (const [id, crawl] of this.#crawls) if (this.#wanted.get(id) !== crawl.order) crawl.drain()
    for (const [id, order] of this.#wanted) if (!this.#crawls.has(id)) this.#begin(id, order)
  }

  #begin(id: string, order: string): void {
    const crawl = new MemberCrawl(id, order, this.#options)
    this.#crawls.set(id, crawl)
    crawl.ended.then(() => {
      this.#pagesBefore += crawl.pages
      this.#crawls.delete(id)
      // Stopped and resumed before it had come to its end.
      const order = this.#wanted.get(id)
      if (order !== undefined && (order !== crawl.order || !crawl.isConcluded)) this.#begin(id, order)
    })
  }

  #stats(): Record<string, number | string> {
    const { user, system } = process.cpuUsage()
    const crawls = [...this.#crawls.values()]
    return {
      crawls: [...this.#crawls.keys()].join(','),
      openHosts: crawls.reduce((sum, { openHosts }) => sum + openHosts, 0),
      waitingHosts: crawls.reduce((sum, { waitingHosts }) => sum + waitingHosts, 0),
      pages: this.#pagesBefore + crawls.reduce((sum, { pages }) => sum + pages, 0),
      cpuMs: Math.round((user + system) / 1000),
      rssBytes: process.memoryUsage.rss(),
      cores: availableParallelism(),
      memoryBytes: memoryOfMachine(),
    }
  }
}
