import type { Config } from './config/schema.ts'
import { payloadHash } from './dedup/content-hash.ts'
import type { CrawlFolder } from './embedded/crawl-folder.ts'
import { type CrawlPorts, openEmbedded } from './embedded/open-embedded.ts'
import { firstFault } from './embedded/storage-error.ts'
import { userAgent } from './fetch/http/request-headers.ts'
import type { FrontierCounts } from './frontier/frontier.ts'
import { settingsFor } from './politeness/host-settings.ts'
import { RobotsCache } from './politeness/robots-cache.ts'
import { Candidates, candidateRules } from './reading/candidates.ts'
import type { Reader } from './reading/reader.ts'
import { startReader } from './reading/start-reader.ts'
import type { Archive } from './store/archive.ts'
import { canonicalRules } from './url/canonical.ts'
import { type CanonicalUrl, hostKeyOf } from './url/keys.ts'
import { makeScope } from './url/scope.ts'
import { version } from './version.ts'
import { Alarms } from './worker/alarms.ts'
import { openSlots } from './worker/concurrency.ts'
import { Ending } from './worker/ending.ts'
import { ForeignTouches } from './worker/foreign-touches.ts'
import { HostSession } from './worker/host-session.ts'
import { PageLimit } from './worker/limits.ts'
import { followMovedSeeds } from './worker/moved-seeds.ts'
import { Pipeline } from './worker/pipeline.ts'
import { canonicalSeeds, seedCandidate } from './worker/seeds.ts'
import { countRecord, readTally, type Tally } from './worker/tally.ts'
import type { CrawledPage } from './worker/visit.ts'
import { type EndReason, Worker } from './worker/worker.ts'

export interface Progress {
  readonly tally: Readonly<Tally>
  readonly counts: FrontierCounts
  readonly openHosts: number
  /** With no host open: how long until one may be touched again. */
  readonly waitingMs: number | null
}

/** A crawl, put together and ready to run. */
export interface RunningCrawl extends AsyncDisposable {
  /** Resolves when the crawl has ended and everything is stored. Rejects with what made it impossible to go on. */
  run(): Promise<EndReason>
  /** Begins no further visit; those under way end. */
  drain(): void
  /** Gives up what is under way; its URLs stay queued. */
  abort(): void
  progress(): Promise<Progress>
  /** Pages whose archived bytes were found damaged when the folder was opened: they are visited again. */
  readonly repairedPages: number
}

/** Puts adapters behind ports, as the configuration says. */
export async function openCrawl(
  folder: CrawlFolder,
  config: Config,
  onPage?: (page: CrawledPage) => unknown,
): Promise<RunningCrawl> {
  const rules = canonicalRules(config.url)
  const seeds = canonicalSeeds(folder.orders.seeds, rules)
  const scope = makeScope({ ...config.url, seeds })
  await using stack = new AsyncDisposableStack()
  const started = stack.use(startReader(config.worker.threads))
  const ports = stack.use(await openEmbedded(folder, config, aboutUs(config)))
  const { clock, frontier, facts, records, nearDuplicates } = ports
  const tally = keptTally(ports)
  const archive = config.store.archive ? ports.archive : undefined

  const { limits, worker: workerConfig } = config
  const { politenessKey, text: withText } = workerConfig
  const ending = new Ending()
  const { draining, aborting } = ending
  const fail = (error: unknown) => ending.fail(error)
  ports.onFailure(fail)
  const { maxHeldBytes } = config.fetch
  const orders = { config, seeds, wholePages: onPage !== undefined, maxHeldBytes }
  const reader = await started.open({ orders, clock, aborting, fail })
  const robots = robotsOver(reader, archive, ports, config, tally)
  const slots = openSlots(workerConfig, clock)
  draining.addEventListener('abort', () => slots.close())
  const alarms = new Alarms(clock, draining)
  const limit = new PageLimit(limits.maxPages, tally)
  const widen = (host: string) => {
    scope.widen(host)
    reader.widen(host)
  }
  const pipeline = new Pipeline({
    ...{ reader, archive, records, nearDuplicates, clock, tally, onPage },
    candidates: new Candidates(candidateRules(config, scope), clock),
    index: workerConfig.index && withText ? ports.index : undefined,
    retryDelaysMs: config.fetch.retryDelaysMs,
    onSeedMoved: followMovedSeeds(scope, facts, widen),
    async offer(candidates) {
      const admissions = await frontier.offer(candidates)
      if (admissions.includes('admitted')) worker.wake()
    },
  })
  const session = {
    ...{ frontier, pipeline, robots, limit, slots, alarms, clock, draining, aborting, fail },
    foreign: new ForeignTouches(clock),
    keyOf: (url: CanonicalUrl) => hostKeyOf(url, politenessKey),
    settingsFor: (hostname: string) => settingsFor(hostname, config.politeness),
    mayExtend: () => worker.hasRoom && !limit.reached,
  }
  const worker = new Worker({
    ...{ frontier, clock, alarms, config: workerConfig, maxWaitMs: limits.maxWaitMs, draining, fail },
    limitReached: () => limit.reached,
    runSession: (lease) => new HostSession(lease, session).run(),
  })
  const opened = stack.move()

  return {
    repairedPages: ports.repaired.filter(({ kind }) => kind === 'page').length,
    async run() {
      let timedOut = false
      const outOfTime = () => {
        timedOut = true
        ending.drain()
      }
      const over = new AbortController()
      if (limits.maxDurationMs > 0)
        clock.sleep(limits.maxDurationMs, over.signal).then(() => over.signal.aborted || outOfTime())
      try {
        await frontier.offer(seeds.map((url) => seedCandidate(url, politenessKey)))
        await frontier.sync()
        const reason = await worker.run()
        ending.throwFailure()
        await frontier.sync()
        return timedOut ? 'limit' : reason
      } catch (error) {
        ending.fail(error)
        throw error
      } finally {
        over.abort()
      }
    },
    drain: () => ending.drain(),
    abort: () => ending.abort(),
    async progress() {
      const { openHosts, waitingMs } = worker
      return { tally, counts: await frontier.counts(), openHosts, waitingMs }
    },
    async [Symbol.asyncDispose]() {
      try {
        await opened.disposeAsync()
      } catch (error) {
        // Whoever ran the crawl knows already why it failed; what cannot be closed because of that is no news.
        if (!ending.hasFailed) throw firstFault(error)
      }
    },
  }
}

/** Stands in front of every WARC file. */
function aboutUs(config: Config): Record<string, string> {
  return { software: `orbweaver/${version}`, 'http-header-user-agent': userAgent(config.fetch), robots: 'obey' }
}

/** What the crawl has done so far, stored with every commit. */
function keptTally({ facts, repaired, beforeCommit }: CrawlPorts): Tally {
  const tally = readTally(facts)
  for (const record of repaired) countRecord(tally, record, -1)
  beforeCommit(() => facts.set('tally', JSON.stringify(tally)))
  return tally
}

/** robots.txt files are requests like any other: counted and archived. */
function robotsOver(
  reader: Reader,
  archive: Archive | undefined,
  ports: CrawlPorts,
  config: Config,
  tally: Tally,
): RobotsCache {
  return new RobotsCache({
    store: ports.robots,
    clock: ports.clock,
    config: config.politeness.robots,
    openedAt: ports.clock.now(),
    async fetchRobots(url, onSent) {
      const outcome = await reader.fetch(url as CanonicalUrl, { cutAtBytes: robotsBytes, onSent })
      tally.requests++
      if (outcome.kind !== 'failed') await archive?.append(outcome.exchange, payloadHash(outcome.exchange, ''))
      return outcome
    },
  })
}

const robotsBytes = 512 * 1024
