import { randomUUID } from 'node:crypto'
import type { Clock } from '../../src/clock.ts'
import type { RedisClient } from '../../src/engines/redis/connect.ts'
import { openShards } from '../../src/engines/redis/shards.ts'
import { RedisFrontier, type RedisFrontierOptions } from '../../src/frontier/adapters/redis/redis-frontier.ts'
import { frontierConfig } from '../../src/frontier/config.ts'
import type { Frontier } from '../../src/frontier/frontier.ts'
import { politenessConfig } from '../../src/politeness/config.ts'
import { settingsFor } from '../../src/politeness/host-settings.ts'
import { initialPace } from '../../src/politeness/pace.ts'
import type { RobotsCache } from '../../src/politeness/robots-cache.ts'
import { type CanonicalUrl, type HostKey, hostKeyOf, loadFingerprint } from '../../src/url/keys.ts'
import { Alarms } from '../../src/worker/alarms.ts'
import { workerConfig } from '../../src/worker/config.ts'
import { ForeignTouches } from '../../src/worker/foreign-touches.ts'
import { HostSession } from '../../src/worker/host-session.ts'
import { LocalPageLimit } from '../../src/worker/limits.ts'
import { seedCandidate } from '../../src/worker/seeds.ts'
import { Slots } from '../../src/worker/slots.ts'
import { Sundries } from '../../src/worker/sundries.ts'
import type { Visits } from '../../src/worker/visit.ts'
import { Worker } from '../../src/worker/worker.ts'
import { type Random, random } from '../web/random.ts'
import { PatientClock } from './patient-clock.ts'

export interface SimulatedWorld {
  readonly client: RedisClient
  readonly workers: number
  readonly virtualMs: number
  readonly leaseMs: number
  /** Workers that are killed, evenly over the time; of each `holders`, one is the one that holds the host. */
  readonly kills: number
  readonly holderKills: number
  readonly seed: number
}

export interface SimulatedRun {
  /** When the host was touched, by the virtual clock. */
  readonly touches: readonly number[]
  readonly holdersKilled: number
  readonly handovers: number
}

const host = 'one.test' as HostKey
const delayMs = 100
const networkMs = [1, 8] as const
const latencyMs = [10, 80] as const
/** Now and then a worker stands still: its machine is busy, or swaps. */
const stallEvery = 1000
const stallMs = 2500

/**
 * A fleet that wants one host, in virtual time: real workers, sessions and pacers over a real Redis. Only the network,
 * with its delays, and the fetching are played; and the reaper of machines.
 */
export async function simulateFleet(world: SimulatedWorld): Promise<SimulatedRun> {
  const clock = new PatientClock()
  const fingerprint = await loadFingerprint()
  const politeness = politenessConfig.parse({ hosts: { [host]: { delayMs, ignoreRobots: true } } })
  const options: RedisFrontierOptions = {
    ...{ client: world.client, clock, fingerprint, crawl: 'simulated' },
    // Hundreds of workers in one process: what each remembers of URLs must be small.
    config: frontierConfig.parse({ leaseMs: world.leaseMs, expectedUrls: 1000 }),
    recentUrls: 0,
    shards: openShards(`test-${randomUUID()}`, 1, fingerprint),
    initialPace: (key) => initialPace(settingsFor(key, politeness), null),
    engineTime: () => clock.now(),
  }
  const chance = random('fleet', world.seed)
  const run = { touches: [] as number[], holdersKilled: 0, handovers: 0 }
  const failures: unknown[] = []
  const ending = new AbortController()
  await offerPages(new RedisFrontier(options), Math.ceil(world.virtualMs / delayMs) + 100)

  const workers = Array.from({ length: world.workers }, (_, n) => {
    const worker = simulatedWorker(
      options,
      clock,
      random('worker', world.seed, n),
      politeness,
      run,
      ending.signal,
      (error) => {
        failures.push(error)
        ending.abort()
      },
    )
    return worker
  })
  void killSome(workers, world, clock, chance, run)
  await clock.sleep(world.virtualMs)
  ending.abort()
  await Promise.all(workers.map((worker) => worker.end()))
  if (failures.length > 0) throw failures[0]
  return run
}

async function offerPages(frontier: Frontier, pages: number): Promise<void> {
  const urls = Array.from({ length: pages }, (_, n) => `https://${host}/page/${n}` as CanonicalUrl)
  await frontier.offer(urls.map((url) => seedCandidate(url, 'host')))
}

interface SimulatedWorker {
  readonly holds: boolean
  readonly isDead: boolean
  kill(): void
  end(): Promise<void>
}

function simulatedWorker(
  options: RedisFrontierOptions,
  world: PatientClock,
  chance: Random,
  politeness: ReturnType<typeof politenessConfig.parse>,
  run: { touches: number[]; handovers: number },
  draining: AbortSignal,
  fail: (error: unknown) => void,
): SimulatedWorker {
  const life = { isDead: false, holds: false }
  const clock = stallingClock(world, chance)
  const frontier = distant(new RedisFrontier({ ...options, clock }), world, chance, life)
  const alarms = new Alarms(clock, draining)
  const session = {
    ...{ frontier, alarms, clock, draining, aborting: draining, fail, limit: new LocalPageLimit(0, 0) },
    ...{ slots: new Slots(4), safe: async () => {}, sundries: new Sundries(), robots: {} as RobotsCache },
    visits: playedVisits(world, chance, run, life),
    foreign: new ForeignTouches(clock),
    keyOf: (url: CanonicalUrl) => hostKeyOf(url, 'host'),
    settingsFor: (hostname: string) => settingsFor(hostname, politeness),
    mayExtend: () => true,
  }
  const worker = new Worker({
    ...{ frontier, clock, alarms, config: workerConfig.parse({}), maxWaitMs: 3_600_000, lookAgainMs: 60_000 },
    ...{ draining, fail, limitReached: () => false, mayLease: () => true },
    async runSession(lease) {
      life.holds = true
      run.handovers++
      const settled = await new HostSession(lease, session).run()
      life.holds = false
      return settled
    },
  })
  const ended = worker.run()
  return {
    get holds() {
      return life.holds
    },
    get isDead() {
      return life.isDead
    },
    kill() {
      life.isDead = true
    },
    end: async () => (life.isDead ? undefined : void (await ended)),
  }
}

/** A frontier at the other end of a network. Of a dead worker nothing is heard any more, and it hears nothing. */
function distant(frontier: RedisFrontier, world: PatientClock, chance: Random, life: { isDead: boolean }): Frontier {
  const wayMs = () => networkMs[0] + chance.below(networkMs[1] - networkMs[0])
  const silence = new Promise<never>(() => {})
  const ask = async <T>(call: () => Promise<T>): Promise<T> => {
    await world.sleep(wayMs())
    if (life.isDead) return silence
    const answer = await world.during(call())
    await world.sleep(wayMs())
    return life.isDead ? silence : answer
  }
  return {
    offer: (candidates) => ask(() => frontier.offer(candidates)),
    lease: (maxHosts, maxUrls) => ask(() => frontier.lease(maxHosts, maxUrls)),
    renew: (lease, maxUrls) => ask(() => frontier.renew(lease, maxUrls)),
    settle: (lease, visits, hold) => ask(() => frontier.settle(lease, visits, hold)),
    release: (lease, report) => ask(() => frontier.release(lease, report)),
    abandon: (patienceMs) => ask(() => frontier.abandon(patienceMs)),
    revisit: (candidates) => ask(() => frontier.revisit(candidates)),
    revisiting: () => ask(() => frontier.revisiting()),
    counts: () => ask(() => frontier.counts()),
    sums: () => ask(() => frontier.sums()),
    add: (adds) => ask(() => frontier.add(adds)),
    underWay: () => ask(() => frontier.underWay()),
    finished: () => ask(() => frontier.finished()),
    sync: () => frontier.sync(),
    [Symbol.asyncDispose]: () => frontier[Symbol.asyncDispose](),
  }
}

/** Time is the same for all; some notice late that it has come. */
function stallingClock(world: PatientClock, chance: Random): Clock {
  return {
    now: () => world.now(),
    sleep: (ms, signal) => world.sleep(ms + (chance.below(stallEvery) === 0 ? chance.below(stallMs) : 0), signal),
  }
}

function playedVisits(
  world: PatientClock,
  chance: Random,
  run: { touches: number[] },
  life: { isDead: boolean },
): Visits {
  return {
    async visit({ url }, touch) {
      if (life.isDead) return new Promise<never>(() => {})
      touch.sent()
      run.touches.push(world.now())
      const tookMs = latencyMs[0] + chance.below(latencyMs[1] - latencyMs[0])
      await world.sleep(tookMs)
      touch.ended({ kind: 'ok', latencyMs: tookMs })
      return { settled: { url, kind: 'done' }, release() {} }
    },
  }
}

async function killSome(
  workers: readonly SimulatedWorker[],
  { kills, holderKills, virtualMs }: SimulatedWorld,
  clock: PatientClock,
  chance: Random,
  run: { holdersKilled: number },
): Promise<void> {
  for (let n = 0; n < kills; n++) {
    await clock.sleep(virtualMs / (kills + 1))
    const alive = workers.filter(({ isDead }) => !isDead)
    const isHoldersTurn = Math.floor(((n + 1) * holderKills) / kills) > Math.floor((n * holderKills) / kills)
    const holder = isHoldersTurn ? alive.find(({ holds }) => holds) : undefined
    if (holder) run.holdersKilled++
    const victim = holder ?? chance.pick(alive)
    victim.kill()
  }
}
