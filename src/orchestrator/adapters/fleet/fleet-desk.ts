import { checkOrders } from '../../../check-orders.ts'
import { loadConfig } from '../../../config/load.ts'
import { UsageError } from '../../../config/usage-error.ts'
import { CarriedWatch } from '../../../fleet/carried-watch.ts'
import { newCrawlName } from '../../../fleet/crawl-name.ts'
import { configOf, withoutEngines } from '../../../fleet/crawl-orders.ts'
import type { Fleet } from '../../../fleet/fleet.ts'
import { forgetCrawl } from '../../../fleet/forget-crawl.ts'
import { LatestAnswers } from '../../../fleet/latest-answers.ts'
import { offeringFrontier } from '../../../fleet/open-ports.ts'
import { type FleetReader, openFleetReader } from '../../../fleet/open-reader.ts'
import type { CrawlEntry, CrawlState, StateChange } from '../../../fleet/registry/crawls.ts'
import { reindexFrom } from '../../../fleet/reindex.ts'
import type { BandCounts } from '../../../frontier/bands.ts'
import { intervalsOf } from '../../../schedule/config.ts'
import type { CrawlSummary, NewCrawl } from '../../../server/api/schemas/crawl.ts'
import { tallyOf } from '../../../worker/tally.ts'
import type { CrawlCounters, CrawlDesk } from '../../operations.ts'
import { noSuchCrawl, Refusal } from '../../refusal.ts'

export interface FleetDesk extends CrawlDesk, AsyncDisposable {
  /** Of all that are active; hosts are the workers' to tell. */
  counters(): Promise<readonly CrawlCounters[]>
}

const mostReaders = 100
const outlookEveryMs = 10_000
const ended: readonly CrawlState[] = ['finished', 'stopped', 'failed']
const resumable: readonly CrawlState[] = ['paused', 'stopping', ...ended]

/** The crawls of a fleet. Nothing is kept here but connections for reading. */
export function fleetDesk(fleet: Fleet, log: (line: string) => void): FleetDesk {
  const { crawls, kafka, clock } = fleet
  const carrying = kafka && new CarriedWatch({ kafka, clock, log })
  const readers = new Map<string, Promise<FleetReader>>()
  const outlooks = new LatestAnswers({
    ...{ clock, askAgainMs: outlookEveryMs, ask: async (id) => (await read(id)).records.outlook(clock.now()) },
    onFault: (id, error) => log(`${id}: not known what is to be visited again. ${(error as Error).message}`),
  })

  async function entryOf(id: string) {
    const entry = await crawls.get(id)
    if (!entry) throw noSuchCrawl(id)
    return entry
  }

  async function forget(id: string): Promise<void> {
    const reader = readers.get(id)
    readers.delete(id)
    await (await reader)?.[Symbol.asyncDispose]()
  }

  async function read(id: string): Promise<FleetReader> {
    const known = readers.get(id)
    if (known) return known
    await entryOf(id)
    const opening = openFleetReader(fleet, id)
    readers.set(id, opening)
    opening.catch(() => readers.delete(id))
    const [oldest] = readers.keys()
    if (readers.size > mostReaders && oldest !== undefined) await forget(oldest)
    return opening
  }

  async function setState(id: string, state: CrawlState, from: readonly CrawlState[]): Promise<void> {
    const change: StateChange = await crawls.setState(id, state, '', { from })
    if (change === 'unknown') throw noSuchCrawl(id)
    if (change !== 'refused') return
    const entry = await entryOf(id)
    if (entry.state !== state)
      throw new Refusal('conflict', `${id} is ${entry.state}, so it cannot be ${participles[state] ?? state} now.`)
  }

  async function create({ id, seeds, settings }: NewCrawl): Promise<string> {
    const { config, given } = loadConfig({ base: withoutEngines(settings) })
    checkOrders(seeds, config)
    if (config.store.archive && !fleet.s3)
      throw new Refusal('invalid', 'This fleet has no bucket for archives: set store.archive to false.')
    const name = id ?? newCrawlName(seeds, new Date())
    if (await crawls.get(name))
      throw new Refusal('conflict', `There is a crawl "${name}" already: choose another name.`)
    try {
      await crawls.create(name, { seeds, config: given, createdAt: fleet.clock.now() })
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      throw new Refusal('conflict', error.message, { cause: error })
    }
    return name
  }

  async function countersOf({ id, state }: CrawlEntry): Promise<CrawlCounters> {
    const { ledger, orders } = await read(id)
    const [sums, { counts, bands: open }] = await Promise.all([ledger.sums(), ledger.counted()])
    const carried = carrying ? carrying.latest(id) : noUrls
    const { limits, recrawl } = configOf(orders, fleet.engines)
    const { maxPages } = limits
    return {
      ...{ id, state, tally: tallyOf(sums), counts, openHosts: 0, maxPages },
      outlook: intervalsOf(recrawl) ? outlooks.of(id) : null,
      bands: open && carried && together(open, carried),
      carried: carried && carried.high + carried.medium + carried.low,
    }
  }

  async function counters(): Promise<readonly CrawlCounters[]> {
    const active = await crawls.active()
    const ids = new Set(active.map(({ id }) => id))
    await Promise.all([carrying?.keepOnly(ids), outlooks.keepOnly(ids)])
    return Promise.all(active.map(countersOf))
  }

  return {
    list: async (limit) => (await crawls.list(limit)).map(summaryOf),
    get: async (id) => summaryOf(await entryOf(id)),
    create,
    pause: (id) => setState(id, 'paused', ['running']),
    resume: (id) => setState(id, 'running', resumable),
    stop: (id) => setState(id, 'stopping', ['running', 'paused']),
    async change(id, { maxPages, maxDurationMs, delayMs, maxLinksPerPage }) {
      const { orders } = await entryOf(id)
      const overrides = {
        'limits.maxPages': maxPages,
        'limits.maxDurationMs': maxDurationMs,
        'limits.maxLinksPerPage': maxLinksPerPage,
        'politeness.delayMs': delayMs,
      }
      const { given } = loadConfig({ base: withoutEngines(orders.config as Record<string, unknown>), overrides })
      await crawls.amend(id, given)
      await forget(id)
    },
    async remove(id) {
      const { state } = await entryOf(id)
      if (!ended.includes(state)) throw new Refusal('conflict', `${id} is ${state}: stop it first.`)
      await forget(id)
      await forgetCrawl(fleet, id)
    },
    read,
    async offer(id, candidates) {
      const { orders } = await entryOf(id)
      const config = configOf(orders, fleet.engines)
      return offeringFrontier(fleet, { crawl: id, config }).offer(candidates)
    },
    retryDead: async (id, filter) => (await read(id)).ledger.retryDead(filter),
    dropDead: async (id, filter) => (await read(id)).ledger.dropDead(filter),
    async reindex(id) {
      await entryOf(id)
      return reindexFrom(fleet, id)
    },
    counters,
    async [Symbol.asyncDispose]() {
      await outlooks[Symbol.asyncDispose]()
      await Promise.all([...readers.keys()].map(forget))
      await carrying?.[Symbol.asyncDispose]()
    },
  }
}

const noUrls: BandCounts = { high: 0, medium: 0, low: 0 }

const together = (some: BandCounts, others: BandCounts): BandCounts => ({
  high: some.high + others.high,
  medium: some.medium + others.medium,
  low: some.low + others.low,
})

function summaryOf({ id, state, detail, seedCount, createdAt, changedAt }: CrawlEntry): CrawlSummary {
  return { id, state, detail, seedCount, createdAt, changedAt }
}

/** What is done to a crawl that is to be in a state, where that has another word. */
const participles: Partial<Record<CrawlState, string>> = { running: 'resumed', stopping: 'stopped' }
