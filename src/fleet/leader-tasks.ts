import type { Config } from '../config/schema.ts'
import { objectStore } from '../engines/s3/objects.ts'
import { Autoscaler } from '../orchestrator/autoscaler.ts'
import type { ScalingConfig } from '../orchestrator/scaling-config.ts'
import type { Urges } from '../orchestrator/urges.ts'
import type { WorkerPool } from '../orchestrator/worker-pool.ts'
import { intervalsOf } from '../schedule/config.ts'
import { revisitDue } from '../schedule/recrawl.ts'
import { openSearchRecords } from '../store/adapters/opensearch/opensearch-records.ts'
import { reapSegments } from '../store/adapters/s3/reap-segments.ts'
import { type CanonicalUrl, hostKeyOf } from '../url/keys.ts'
import { configOf, seedsOf } from './crawl-orders.ts'
import type { Fleet } from './fleet.ts'
import { heal } from './heal.ts'
import { offeringFrontier } from './open-ports.ts'
import type { CrawlEntry } from './registry/crawls.ts'
import type { LeaderTerm } from './registry/leader.ts'
import type { WorkerEntry } from './registry/workers.ts'
import { scaleFleet } from './scaling-task.ts'
import { type LostWrites, openBeacons } from './shared/beacons.ts'
import { pageGrants } from './shared/page-grants.ts'

export interface Leading {
  readonly fleet: Fleet
  readonly term: LeaderTerm
  readonly scaling: ScalingConfig
  readonly pool: WorkerPool | undefined
  readonly urges: Urges
  readonly log: (line: string) => void
}

export interface LeaderTask {
  readonly name: string
  readonly everyMs: number
  run(): Promise<void>
}

/** Who has been silent for so long, beyond the time of a lease, settles nothing any more: its leases have expired. */
const spareMs = 10_000
/** A segment of somebody who was only slow can be finished by others, but that costs both of them work. */
const segmentGoneMs = 60_000
const recrawlEveryMs = 5000

/** What the leader of a fleet looks after, each thing in its own time. */
export function leaderTasks(leading: Leading): readonly LeaderTask[] {
  const { fleet, scaling, pool, urges, log } = leading
  const autoscaler = new Autoscaler({ config: scaling, pool, urges, log })
  return [
    { name: 'ends of crawls', everyMs: 2000, run: () => endStopped(leading) },
    { name: 'page limits', everyMs: 10_000, run: () => reclaimGrants(fleet) },
    ...(fleet.s3 ? [{ name: 'archive', everyMs: 15_000, run: () => finishSegments(leading) }] : []),
    { name: 'recrawl', everyMs: recrawlEveryMs, run: () => recrawl(leading) },
    { name: 'memory of the engines', everyMs: 1000, run: healing(leading) },
    { name: 'scaling', everyMs: scaling.everyMs, run: () => scaleFleet(fleet, autoscaler, scaling) },
  ]
}

/** A crawl that is to stop has stopped when nobody holds a host of it. Workers see to that; they may all be gone. */
async function endStopped({ fleet, term, log }: Leading): Promise<void> {
  for (const { id, state } of await fleet.crawls.active()) {
    if (state !== 'stopping') continue
    const { leased } = await offeringFrontier(fleet, await ordersOf(fleet, id)).counts()
    if (leased > 0) continue
    await fleet.crawls.setState(id, 'stopped', '', { from: ['stopping'], term: term.number })
    log(`${id}: stopped`)
  }
}

/** Rights to bring pages that dead workers have kept. */
async function reclaimGrants(fleet: Fleet): Promise<void> {
  const { redis: client, clock, engines } = fleet
  const workers = await fleet.workers.list()
  for (const { id } of await fleet.crawls.active()) {
    const orders = await ordersOf(fleet, id)
    const { maxPages } = orders.config.limits
    if (maxPages === 0) continue
    const goneMs = orders.config.frontier.leaseMs + spareMs
    const maySettle = new Set(heardOf(workers, goneMs).map(({ id }) => id))
    const frontier = offeringFrontier(fleet, orders)
    const settledPages = async () => (await frontier.sums()).pages ?? 0
    await pageGrants({ client, prefix: engines.redis.prefix, crawl: id, maxPages, clock, settledPages }).reclaim(
      maySettle,
    )
  }
}

/** Archive segments that dead workers have left half done. */
async function finishSegments({ fleet, log }: Leading): Promise<void> {
  const isAlive = async (worker: string) =>
    heardOf(await fleet.workers.list(), segmentGoneMs).some(({ id }) => id === worker)
  const { segments } = await reapSegments(objectStore(fleet.s3!), { isAlive })
  for (const segment of segments) log(`archive: finished ${segment}, which its worker had left`)
}

const heardOf = (workers: readonly WorkerEntry[], withinMs: number) =>
  workers.filter(({ silentMs }) => silentMs < withinMs)

/** What is due is to be visited again. Whoever leads next, or still thinks that it does, may do the same once more. */
async function recrawl({ fleet, term }: Leading): Promise<void> {
  const { clock } = fleet
  for (const { id, state } of await fleet.crawls.active()) {
    if (state !== 'running' || !term.leads()) continue
    const orders = await ordersOf(fleet, id)
    const intervals = intervalsOf(orders.config.recrawl)
    if (!intervals) continue
    const { politenessKey } = orders.config.worker
    await using records = await openSearchRecords(fleet.opensearch, id)
    const frontier = offeringFrontier(fleet, orders)
    await revisitDue({ records, frontier, clock, intervals, keyOf: (url) => hostKeyOf(url, politenessKey) })
  }
}

/** Compares what the engine should remember with what it does, and offers again what it has forgotten. */
function healing({ fleet, log }: Leading): () => Promise<void> {
  const { redis: client, shards } = fleet
  const beacons = openBeacons({ client, shards })
  /** A loss is told once; it stays here until it is healed. */
  const losses: LostWrites[] = []
  return async () => {
    losses.push(...(await beacons.check()))
    for (let loss = losses[0]; loss; loss = losses[0]) {
      const { kind, shards, since } = loss
      if (kind === 'lost')
        log(`Redis has forgotten what ${shards.length} shards were told since ${new Date(since).toISOString()}`)
      for (const crawl of await fleet.crawls.active()) await healCrawl(fleet, crawl, since, log)
      losses.shift()
    }
  }
}

async function healCrawl(fleet: Fleet, { id }: CrawlEntry, since: number, log: Leading['log']): Promise<void> {
  const orders = await ordersOf(fleet, id)
  await using records = await openSearchRecords(fleet.opensearch, id)
  const widened = await fleet.factsOf(id).list('scope.widened')
  const missing = await heal({
    ...{ frontier: offeringFrontier(fleet, orders), records: records.since(since - marginMs), clock: fleet.clock },
    ...{ config: orders.config, seeds: orders.seeds },
    widened: { each: (widen) => widened.forEach(widen) },
  })
  if (missing > 0) log(`${id}: ${missing} URLs were missing and are queued again`)
}

interface Ordered {
  readonly crawl: string
  readonly config: Config
  readonly seeds: readonly CanonicalUrl[]
}

async function ordersOf(fleet: Fleet, crawl: string): Promise<Ordered> {
  const { orders } = (await fleet.crawls.get(crawl))!
  const config = configOf(orders, fleet.engines)
  return { crawl, config, seeds: seedsOf(orders, config) }
}

/** Records are written a moment after their pages were fetched, and clocks differ. */
const marginMs = 60_000
