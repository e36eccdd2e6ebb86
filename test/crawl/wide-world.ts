import { join } from 'node:path'
import { openDatabase } from '../../src/embedded/database.ts'
import { openFacts } from '../../src/embedded/facts.ts'
import { EmbeddedFrontier } from '../../src/frontier/adapters/embedded/embedded-frontier.ts'
import { frontierConfig } from '../../src/frontier/config.ts'
import type { CrawlRequest } from '../../src/frontier/frontier.ts'
import { politenessConfig } from '../../src/politeness/config.ts'
import { settingsFor } from '../../src/politeness/host-settings.ts'
import { initialPace } from '../../src/politeness/pace.ts'
import { RobotsCache } from '../../src/politeness/robots-cache.ts'
import type { RobotsEntry, RobotsStore } from '../../src/politeness/robots-store.ts'
import { type CanonicalUrl, type HostKey, hostKeyOf, loadFingerprint } from '../../src/url/keys.ts'
import { Alarms } from '../../src/worker/alarms.ts'
import { adaptiveSlots } from '../../src/worker/concurrency.ts'
import { workerConfig } from '../../src/worker/config.ts'
import { ForeignTouches } from '../../src/worker/foreign-touches.ts'
import { HostSession } from '../../src/worker/host-session.ts'
import { LocalPageLimit } from '../../src/worker/limits.ts'
import { seedCandidate } from '../../src/worker/seeds.ts'
import { Slots } from '../../src/worker/slots.ts'
import { Sundries } from '../../src/worker/sundries.ts'
import type { Visits, Touch as VisitTouch } from '../../src/worker/visit.ts'
import { Worker } from '../../src/worker/worker.ts'
import { random } from '../web/random.ts'
import { scratchFolder } from './crawl-of-web.ts'
import { virtualClock } from './wide-clock.ts'

export interface WideWorld {
  readonly hosts: number
  readonly pagesPerHost: number
  readonly latencyMs: readonly [from: number, to: number]
  /** null: as it finds its level, on a machine that has nothing else to do. */
  readonly concurrency: number | null
  readonly hostsAtOnce?: number
}

/** One page asked for: when, by the virtual clock, and how long the answer took. */
export interface Touch {
  readonly at: number
  readonly latencyMs: number
}

export interface WideRun {
  readonly touches: ReadonlyMap<HostKey, readonly Touch[]>
  readonly virtualMs: number
  readonly moments: number
  readonly mostOpenHosts: number
}

/**
 * Thousands of hosts in virtual time: real frontier, worker and host sessions; only the fetching is played, with
 * latencies that repeat. So the pace of every host can be compared with the rule to the millisecond.
 */
export async function runWideWorld(world: WideWorld): Promise<WideRun> {
  using scratch = scratchFolder()
  const clock = virtualClock()
  const startedAt = clock.now()
  const politeness = politenessConfig.parse({})
  const fingerprint = await loadFingerprint()
  using database = openDatabase(join(scratch.path, 'crawl.sqlite'))
  await using frontier = new EmbeddedFrontier({
    ...{ database, facts: openFacts(database), clock, config: frontierConfig.parse({}), fingerprint },
    filterFile: join(scratch.path, 'seen.bloom'),
    initialPace: (host) => initialPace(settingsFor(host, politeness), null),
  })
  const touches = new Map<HostKey, Touch[]>()
  for (let host = 0; host < world.hosts; host++) {
    const key = hostKeyOf(pageUrl(host, 0), 'host')
    touches.set(key, [])
    await frontier.offer(
      Array.from({ length: world.pagesPerHost }, (_, page) => seedCandidate(pageUrl(host, page), 'host')),
    )
  }

  const ending = new AbortController()
  const failures: unknown[] = []
  const fail = (error: unknown) => {
    failures.push(error)
    ending.abort()
  }
  const draining = ending.signal
  const alarms = new Alarms(clock, draining)
  const slots =
    world.concurrency === null ? adaptiveSlots(clock, levelBounds, idleMachine) : new Slots(world.concurrency)
  const limit = new LocalPageLimit(0, 0)
  let mostOpenHosts = 0
  const session = {
    ...{ frontier, limit, slots, alarms, clock, draining, aborting: draining, fail },
    visits: playedVisits(world, clock, touches),
    safe: async () => {},
    sundries: new Sundries(),
    robots: new RobotsCache({
      ...{ store: memoryStore(), clock, config: politeness.robots },
      async fetchRobots(url, { onSent }) {
        onSent?.()
        await clock.sleep(latencyOf(world, url, 0))
        return {
          kind: 'fetched',
          exchange: { status: 404, headers: [], body: Buffer.alloc(0), truncated: null },
        } as never
      },
    }),
    foreign: new ForeignTouches(clock),
    keyOf: (url: CanonicalUrl) => hostKeyOf(url, 'host'),
    settingsFor: (hostname: string) => settingsFor(hostname, politeness),
    mayExtend: () => worker.hasRoom,
  }
  const config = workerConfig.parse(world.hostsAtOnce ? { hostsAtOnce: world.hostsAtOnce } : {})
  const worker: Worker = new Worker({
    ...{
      frontier,
      clock,
      alarms,
      config,
      maxWaitMs: 60_000,
      lookAgainMs: Infinity,
      draining,
      fail,
      limitReached: () => false,
      mayLease: () => true,
    },
    runSession(lease) {
      mostOpenHosts = Math.max(mostOpenHosts, worker.openHosts + 1)
      return new HostSession(lease, session).run()
    },
  })
  await worker.run()
  if (failures.length > 0) throw failures[0]
  return { touches, virtualMs: clock.now() - startedAt, moments: clock.moments, mostOpenHosts }
}

const levelBounds = { least: 16, most: 10_000 }
const idleMachine = () => ({ busyShare: 0.1, memoryShare: 0.1 })

function pageUrl(host: number, page: number): CanonicalUrl {
  return `http://host-${host}.test/page-${page}` as CanonicalUrl
}

/** Hosts are fast or slow by nature, evenly on a scale of factors, and vary by a fifth from page to page. */
function latencyOf({ latencyMs: [from, to] }: WideWorld, url: string, attempt: number): number {
  const nature = random('nature', new URL(url).host).next() / 2 ** 32
  const mood = 0.8 + 0.4 * (random('mood', url, attempt).next() / 2 ** 32)
  return Math.min(to, Math.max(from, Math.round(from * (to / from) ** nature * mood)))
}

function playedVisits(
  world: WideWorld,
  clock: ReturnType<typeof virtualClock>,
  touches: Map<HostKey, Touch[]>,
): Visits {
  return {
    async visit({ url, attempts }: CrawlRequest, touch: VisitTouch) {
      const latencyMs = latencyOf(world, url, attempts)
      touch.sent()
      touches.get(hostKeyOf(url, 'host'))!.push({ at: clock.now(), latencyMs })
      await clock.sleep(latencyMs)
      touch.ended({ kind: 'ok', latencyMs })
      return { settled: { url, kind: 'done' }, release() {} }
    },
  }
}

function memoryStore(): RobotsStore {
  const entries = new Map<string, RobotsEntry>()
  return {
    get: async (origin) => entries.get(origin),
    async put(origin, entry) {
      entries.set(origin, entry)
    },
    async [Symbol.asyncDispose]() {},
  }
}
