import type { Config } from './config/schema.ts'
import { UsageError } from './config/usage-error.ts'
import { contentHash } from './dedup/content-hash.ts'
import { systemResolver } from './dns/adapters/system/system-resolver.ts'
import { cachingResolver } from './dns/caching-resolver.ts'
import type { CrawlFolder } from './embedded/crawl-folder.ts'
import { type CrawlPorts, openEmbedded } from './embedded/open-embedded.ts'
import { httpFetcher } from './fetch/http/http-fetcher.ts'
import { userAgent } from './fetch/http/request-headers.ts'
import type { Candidate, FrontierCounts } from './frontier/frontier.ts'
import { settingsFor } from './politeness/host-settings.ts'
import { RobotsCache } from './politeness/robots-cache.ts'
import { type CanonicalRules, canonicalRules, canonicalUrl } from './url/canonical.ts'
import { type CanonicalUrl, hostKeyOf, hostnameOf, hostOf } from './url/keys.ts'
import { makeScope, type Scope } from './url/scope.ts'
import { version } from './version.ts'
import { Candidates } from './worker/candidates.ts'
import { HostSession } from './worker/host-session.ts'
import { PageLimit } from './worker/limits.ts'
import { Pipeline } from './worker/pipeline.ts'
import { Slots } from './worker/slots.ts'
import { readTally, type Tally } from './worker/tally.ts'
import type { CrawledPage } from './worker/visit.ts'
import { type EndReason, Worker } from './worker/worker.ts'

export interface Progress {
  readonly tally: Readonly<Tally>
  readonly counts: FrontierCounts
  readonly openHosts: number
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
  const agent = userAgent(config.fetch)
  const ports = stack.use(
    await openEmbedded(folder, config, {
      software: `orbweaver/${version}`,
      'http-header-user-agent': agent,
      robots: 'obey',
    }),
  )
  const { clock, frontier, facts } = ports
  widenAsBefore(scope, ports)

  const tally = readTally(facts)
  tally.pages -= ports.repairedPages
  ports.beforeCommit(() => facts.set('tally', JSON.stringify(tally)))
  const resolver = stack.use(cachingResolver(systemResolver(config.dns), clock, config.dns))
  const fetcher = stack.use(
    httpFetcher({ resolver, clock, config: config.fetch, allowPrivate: privateHosts(seeds, config.allowPrivate) }),
  )
  const archive = config.store.archive ? ports.archive : undefined
  const robots = new RobotsCache({
    store: ports.robots,
    clock,
    config: config.politeness.robots,
    async fetchRobots(url) {
      const outcome = await fetcher.fetch(url as CanonicalUrl, { cutAtBytes: robotsBytes })
      tally.requests++
      if (outcome.kind !== 'failed') await archive?.append(outcome.exchange, contentHash(outcome.exchange.body))
      return outcome
    },
  })

  const draining = new AbortController()
  const aborting = new AbortController()
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    draining.abort()
    aborting.abort()
  }
  ports.onFailure(fail)

  const { worker: workerConfig, limits } = config
  const politenessKey = workerConfig.politenessKey
  const slots = new Slots(workerConfig.concurrency)
  draining.signal.addEventListener('abort', () => slots.close())
  const limit = new PageLimit(limits.maxPages, tally)
  const candidates = new Candidates(
    {
      ...{ canonical: rules, scope, traps: config.url.traps, politenessKey },
      ...{ maxDepth: limits.maxDepth, maxRedirects: workerConfig.maxRedirects },
    },
    clock,
    tally,
  )
  const pipeline = new Pipeline({
    ...{ fetcher, archive, candidates, clock, tally, onPage },
    records: ports.records,
    nearDuplicates: ports.nearDuplicates,
    index: workerConfig.index && workerConfig.text ? ports.index : undefined,
    parse: config.parse,
    withText: workerConfig.text,
    retryDelaysMs: config.fetch.retryDelaysMs,
    async offer(found) {
      const admissions = await frontier.offer(found)
      if (admissions.includes('admitted')) worker.wake()
    },
    onSeedMoved: (target) => widen(scope, ports, target),
  })
  const worker = new Worker({
    ...{ frontier, clock, config: workerConfig, maxWaitMs: limits.maxWaitMs, draining: draining.signal },
    limitReached: () => limit.reached,
    runSession: (lease) =>
      new HostSession(lease, {
        ...{ frontier, pipeline, robots, limit, slots, clock, fail },
        draining: draining.signal,
        aborting: aborting.signal,
        settingsFor: (hostname) => settingsFor(hostname, config.politeness),
        mayExtend: () => worker.hasRoom && !limit.reached,
      }).run(),
  })
  const opened = stack.move()

  return {
    repairedPages: ports.repairedPages,
    async run() {
      await frontier.offer(seeds.map((url) => seedCandidate(url, politenessKey)))
      await frontier.sync()
      let timedOut = false
      const outOfTime = () => {
        timedOut = true
        draining.abort()
      }
      const timer = limits.maxDurationMs > 0 ? setTimeout(outOfTime, limits.maxDurationMs) : undefined
      const reason = await worker.run().finally(() => clearTimeout(timer))
      if (failure) throw failure
      await frontier.sync()
      return timedOut ? 'limit' : reason
    },
    drain: () => draining.abort(),
    abort() {
      draining.abort()
      aborting.abort()
    },
    progress: async () => ({ tally, counts: await frontier.counts(), openHosts: worker.openHosts }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const robotsBytes = 512 * 1024

/** `example.com` is read as `https://example.com/`. */
export function canonicalSeeds(texts: readonly string[], rules: CanonicalRules): CanonicalUrl[] {
  return texts.map((text) => {
    const { url, refusal } = canonicalUrl(
      /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`,
      undefined,
      rules,
    )
    if (!url)
      throw new UsageError(`"${text}" is no URL to start from (${refusal}). A seed looks like https://example.com/.`)
    return url
  })
}

function seedCandidate(url: CanonicalUrl, politenessKey: 'host' | 'domain'): Candidate {
  return { url, host: hostKeyOf(url, politenessKey), band: 'high', depth: 0, parent: null, redirects: 0 }
}

/** Those that the user named, as seeds or in `allowPrivate`. */
function privateHosts(seeds: readonly CanonicalUrl[], allowed: readonly string[]): (hostname: string) => boolean {
  const named = new Set([...allowed, ...seeds.map((url) => hostnameOf(url).replace(/^\[|\]$/g, ''))])
  return (hostname) => named.has('*') || named.has(hostname)
}

const widenedFact = 'scope.widened'

/** A seed that redirects to another host (`example.com` → `www.example.com`) means that host. */
function widen(scope: Scope, ports: CrawlPorts, target: CanonicalUrl): void {
  if (scope.judge(target)?.reason !== 'out-of-scope') return
  const hosts = [...widenedHosts(ports), hostOf(target)]
  ports.facts.set(widenedFact, JSON.stringify(hosts))
  scope.widen(hostOf(target))
}

function widenAsBefore(scope: Scope, ports: CrawlPorts): void {
  for (const host of widenedHosts(ports)) scope.widen(host)
}

function widenedHosts(ports: CrawlPorts): string[] {
  return JSON.parse(ports.facts.get(widenedFact) ?? '[]')
}
