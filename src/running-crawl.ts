import type { Config } from './config/schema.ts'
import { crawlKeeper } from './crawl-keeper.ts'
import type { CrawlPorts } from './crawl-ports.ts'
import { payloadHash } from './dedup/content-hash.ts'
import type { Admission, Candidate, CrawlRequest, FrontierCounts } from './frontier/frontier.ts'
import { settingsFor, withDecision } from './politeness/host-settings.ts'
import { RobotsCache } from './politeness/robots-cache.ts'
import type { Reader } from './reading/reader.ts'
import type { StartedReader } from './reading/start-reader.ts'
import { UnreadWalls } from './reading/wall-watch.ts'
import { intervalsOf } from './schedule/config.ts'
import { RecrawlLoop } from './schedule/recrawl.ts'
import type { Archive } from './store/archive.ts'
import type { Outlook } from './store/record-store.ts'
import { type CanonicalUrl, hostKeyOf, hostOf, type Origin } from './url/keys.ts'
import { Alarms } from './worker/alarms.ts'
import { openSlots } from './worker/concurrency.ts'
import { Ending } from './worker/ending.ts'
import { FetchStage, type FetchStageParts } from './worker/fetch-stage.ts'
import { ForeignTouches } from './worker/foreign-touches.ts'
import { HostSession } from './worker/host-session.ts'
import { Lull } from './worker/lull.ts'
import { Mirrors } from './worker/mirrors.ts'
import { NamedSitemaps } from './worker/named-sitemaps.ts'
import { Pipeline } from './worker/pipeline.ts'
import { seedCandidate } from './worker/seeds.ts'
import { Sundries } from './worker/sundries.ts'
import { type Tally, tallyOf } from './worker/tally.ts'
import type { CrawledPage, Touch, Visited } from './worker/visit.ts'
import { type EndReason, Worker } from './worker/worker.ts'

export interface Progress {
  readonly tally: Readonly<Tally>
  readonly counts: FrontierCounts
  readonly openHosts: number
  /** With no host open: how long until one may be touched again. */
  readonly waitingMs: number | null
  /** What is to be visited again; `null`: pages are visited once. */
  readonly outlook: Outlook | null
}

/** A crawl, put together and ready to run. */
export interface RunningCrawl {
  /** Offers the seeds; resolves when they are safe. */
  seed(): Promise<void>
  /** Resolves when the crawl has ended and everything is stored. Rejects with what made it impossible to go on. */
  run(): Promise<EndReason>
  /** Begins no further visit; those under way end. */
  drain(): void
  /** Gives up what is under way; its URLs stay queued. */
  abort(): void
  /** Begins no further visit until `resume`; those under way end. */
  pause(): void
  resume(): void
  readonly isPaused: boolean
  /** Changes what may be changed while it runs. */
  change(changes: CrawlAmendment): void
  /** Offers URLs beside those that pages link to. */
  offer(candidates: readonly Candidate[]): Promise<readonly Admission[]>
  /** Something may have become due: dead letters were queued again. */
  wake(): void
  progress(): Promise<Progress>
  readonly openHosts: number
  /** Open hosts that might be touched, had this worker a slot to spare. */
  readonly waitingHosts: number
  /** Pages that this worker has brought since it began. */
  readonly pagesHere: number
  /** The crawl could not go on, and whoever ran it knows why. */
  readonly hasFailed: boolean
}

/** What may be changed while a crawl runs. */
export interface CrawlAmendment {
  /** From its start. 0: no limit. */
  readonly maxDurationMs?: number | undefined
  readonly delayMs?: number | undefined
  readonly maxLinksPerPage?: number | undefined
}

export interface CrawlParts {
  readonly ports: CrawlPorts
  readonly config: Config
  readonly seeds: readonly CanonicalUrl[]
  readonly reader: StartedReader
  readonly onPage: ((page: CrawledPage) => unknown) | undefined
  /** Pages are fetched and archived here, and parsed by others. */
  readonly handOn?: Pick<FetchStageParts, 'crawl' | 'tell'>
  /** Others may work on the crawl at the same time, and come and go. */
  readonly isShared: boolean
}

/** Puts a worker together over ports. */
export async function runningCrawl(parts: CrawlParts): Promise<RunningCrawl> {
  const { ports, config, seeds, onPage, isShared } = parts
  const { clock, frontier, records, limit, safe } = ports
  const { limits, worker: workerConfig } = config
  const { politenessKey } = workerConfig
  const ending = new Ending()
  const { draining, aborting } = ending
  const fail = (error: unknown) => ending.fail(error)
  ports.onFailure(fail)
  const orders = { config, seeds, wholePages: onPage !== undefined, maxHeldBytes: config.fetch.maxHeldBytes }
  const reader = await parts.reader.open({ orders, clock, aborting, fail })
  const seedHosts = new Set(seeds.map(hostOf))
  const archive = config.store.archive ? ports.archive : undefined
  const sundries = new Sundries()
  const slots = openSlots(workerConfig, clock)
  draining.addEventListener('abort', () => slots.close())
  const alarms = new Alarms(clock, draining)
  let maxLinks = limits.maxLinksPerPage
  const recrawl = intervalsOf(config.recrawl)
  const mirrors = new Mirrors(config.discovery.mirrorPages)
  const { keeper, candidates, offer } = crawlKeeper({
    ...{ ports, config, seeds, mirrors, maxLinks: () => maxLinks, asksForMissing: config.discovery.softMissing },
    onWidened(host) {
      seedHosts.add(host)
      reader.widen(host)
    },
    onAdmitted: () => worker.wake(),
  })
  const sitemaps = new NamedSitemaps({
    ...{ config: config.discovery, candidates, offer, maxDepth: limits.maxDepth },
    isOfSeed: (origin) => seedHosts.has(hostOf(`${origin}/` as CanonicalUrl)),
    onRefused: (refused) => {
      for (const [rule, urls] of Object.entries(refused)) sundries.add(`refused.${rule}`, urls)
    },
  })
  const keyOf = (url: CanonicalUrl) => hostKeyOf(url, politenessKey)
  const { retryDelaysMs } = config.fetch
  const stage = parts.handOn
    ? new FetchStage({
        ...{ ...parts.handOn, reader, archive: ports.archive, records, clock, keyOf, retryDelaysMs },
        walls: new UnreadWalls(config.parse),
      })
    : new Pipeline({ reader, archive, keeper, records, clock, retryDelaysMs, onPage })
  let pagesHere = 0
  let isPaused = false
  let politeness = config.politeness
  const counted = (visited: Visited | undefined) => {
    pagesHere += visited?.settled.adds?.pages ?? 0
    return visited
  }
  const session = {
    ...{ frontier, limit, slots, alarms, clock, safe, sundries, draining, aborting, fail },
    lull: new Lull(slots, () => ports.hasten?.()),
    room: () => ports.room?.(),
    visits: { visit: (request: CrawlRequest, touch: Touch) => stage.visit(request, touch).then(counted) },
    robots: robotsOver(reader, archive, ports, config, sundries),
    onOrigin: (origin: Origin, named: readonly string[]) => sitemaps.of(origin, named),
    foreign: new ForeignTouches(clock),
    keyOf,
    settingsFor: (hostname: string) => withDecision(settingsFor(hostname, politeness), ports.decisions.for(hostname)),
    decisionFor: (hostname: string) => ports.decisions.for(hostname),
    mirroredBy: (url: CanonicalUrl) => mirrors.mirroredBy(url),
    isPaused: () => isPaused,
    mayExtend: () => worker.hasRoom && !limit.reached,
    asksSparingly: isShared,
  }
  const worker = new Worker({
    ...{ frontier, clock, alarms, config: workerConfig, maxWaitMs: limits.maxWaitMs, draining, fail },
    lookAgainMs: isShared ? 1000 : Infinity,
    mayLease: () => !isShared || slots.inUse < slots.width,
    limitReached: () => limit.reached,
    isPaused: () => isPaused,
    staysOpen: recrawl !== undefined,
    runSession: (lease) => new HostSession(lease, session).run(),
  })
  ports.onWork?.(() => worker.wake())

  // In a fleet its leader looks after what is due, for all workers.
  const recrawling =
    recrawl && !isShared
      ? new RecrawlLoop({ records, frontier, clock, intervals: recrawl, keyOf, onQueued: () => worker.wake() })
      : undefined

  let startedAt = clock.now()
  let timedOut = false
  let timing = new AbortController()
  function endAfter(ms: number): void {
    timing.abort()
    timing = new AbortController()
    const { signal } = timing
    const outOfTime = () => {
      timedOut = true
      ending.drain()
    }
    if (ms > 0) clock.sleep(ms, signal).then(() => signal.aborted || outOfTime())
  }

  return {
    async seed() {
      try {
        await frontier.offer(seeds.map((url) => seedCandidate(url, politenessKey)))
        await frontier.sync()
      } catch (error) {
        ending.fail(error)
        throw error
      }
    },
    async run() {
      startedAt = clock.now()
      endAfter(limits.maxDurationMs)
      const ended = new AbortController()
      const recrawled = recrawling?.run(AbortSignal.any([draining, ended.signal])).catch(fail)
      try {
        const reason = await worker.run()
        ended.abort()
        await recrawled
        const counted = sundries.takeWith(undefined)
        if (Object.keys(counted).length > 0) await frontier.add(counted)
        ending.throwFailure()
        await frontier.sync()
        return timedOut ? 'limit' : reason
      } catch (error) {
        ending.fail(error)
        throw error
      } finally {
        ended.abort()
        timing.abort()
      }
    },
    drain: () => ending.drain(),
    abort: () => ending.abort(),
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      worker.wake()
    },
    get isPaused() {
      return isPaused
    },
    change({ maxDurationMs, delayMs, maxLinksPerPage = maxLinks }) {
      maxLinks = maxLinksPerPage
      if (maxDurationMs !== undefined)
        endAfter(maxDurationMs === 0 ? 0 : Math.max(1, startedAt + maxDurationMs - clock.now()))
      if (delayMs !== undefined) politeness = { ...politeness, delayMs }
      worker.wake()
    },
    async offer(candidates) {
      const admissions = await frontier.offer(candidates)
      await frontier.sync()
      worker.wake()
      return admissions
    },
    wake: () => worker.wake(),
    async progress() {
      const { openHosts, waitingMs } = worker
      const outlook = recrawling?.outlook ?? null
      return { tally: tallyOf(await frontier.sums()), counts: await frontier.counts(), openHosts, waitingMs, outlook }
    },
    get openHosts() {
      return worker.openHosts
    },
    get waitingHosts() {
      return slots.waiting
    },
    get pagesHere() {
      return pagesHere
    },
    get hasFailed() {
      return ending.hasFailed
    },
  }
}

/** robots.txt files are requests like any other: counted and archived. */
function robotsOver(
  reader: Reader,
  archive: Archive | undefined,
  ports: CrawlPorts,
  config: Config,
  sundries: Sundries,
): RobotsCache {
  return new RobotsCache({
    store: ports.robots,
    clock: ports.clock,
    config: config.politeness.robots,
    openedAt: ports.clock.now(),
    async fetchRobots(url, sending) {
      const outcome = await reader.fetch(url as CanonicalUrl, { cutAtBytes: robotsBytes, ...sending })
      sundries.add('requests')
      if (outcome.kind !== 'failed') await archive?.append(outcome.exchange, payloadHash(outcome.exchange, ''))
      return outcome
    },
  })
}

const robotsBytes = 512 * 1024
