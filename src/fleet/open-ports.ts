import type { Config } from '../config/schema.ts'
import { UsageError } from '../config/usage-error.ts'
import type { CrawlPorts } from '../crawl-ports.ts'
import { redisNearDuplicates } from '../dedup/adapters/redis/redis-near-duplicates.ts'
import type { Courier } from '../engines/redis/courier.ts'
import { objectStore } from '../engines/s3/objects.ts'
import { RedisFrontier, type RedisFrontierOptions } from '../frontier/adapters/redis/redis-frontier.ts'
import { redisLedger } from '../frontier/adapters/redis/redis-ledger.ts'
import type { Frontier } from '../frontier/frontier.ts'
import { openSearchIndex } from '../index/adapters/opensearch/opensearch-index.ts'
import { redisRobots } from '../politeness/adapters/redis/redis-robots.ts'
import { settingsFor } from '../politeness/host-settings.ts'
import { initialPace } from '../politeness/pace.ts'
import { openSearchRecords } from '../store/adapters/opensearch/opensearch-records.ts'
import { openS3Archive } from '../store/adapters/s3/s3-archive.ts'
import type { Archive } from '../store/archive.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { Stream } from '../stream/stream.ts'
import { type HostKey, withoutPort } from '../url/keys.ts'
import type { PageTally } from '../worker/parse-stage.ts'
import { claimingContents } from './content-claims.ts'
import { endingWith } from './ending-with.ts'
import type { Fleet } from './fleet.ts'
import { Letters } from './letters.ts'
import { SafeGroups } from './safe-groups.ts'
import { joinCrew } from './shared/crew.ts'
import { openSharedHostSettings } from './shared/host-settings.ts'
import { parsedPages } from './shared/parsed-pages.ts'
import { RedisPageLimit } from './shared/redis-page-limit.ts'
import { takeBackUnsettled } from './unsettled-pages.ts'
import { fleetWidenedHosts } from './widened-hosts.ts'

export interface FleetPortsOptions {
  readonly crawl: string
  /** Different for every process that ever worked on the crawl. */
  readonly worker: string
  readonly config: Config
  readonly about: Readonly<Record<string, string>>
  /** Whether it visits hosts, and so owns a part of them where ownership is shared out. */
  readonly visits: boolean
  /** Set: nothing more will come, so what was kept is made safe without waiting for more. */
  readonly hurry: AbortSignal
}

export interface FleetPorts extends CrawlPorts {
  /** From those who fetch to those who parse; `undefined` without Kafka. */
  readonly stream: Stream | undefined
  /** The way there for those who fetch: what is held goes with the next group that is made safe. */
  readonly letters: Letters | undefined
  /** Counts what those who parse find. */
  readonly parsed: PageTally
  /** Takes back pages that were kept and never settled, once nobody makes visits any more. Answers how many. */
  takeBackUnsettled(): Promise<number>
}

const safeEveryMs = 1000

/** Opens a crawl's ports on the engines of a fleet. Any number of workers can. */
export async function openFleetPorts(fleet: Fleet, options: FleetPortsOptions): Promise<FleetPorts> {
  const { redis, courier, opensearch, clock, engines } = fleet
  const { crawl, worker, config, hurry } = options
  const { prefix } = engines.redis
  const ended = new AbortController()
  const failure = Promise.withResolvers<Error>()
  await using stack = new AsyncDisposableStack()
  const records = stack.use(await openSearchRecords(opensearch, crawl))
  const index = stack.use(await openSearchIndex({ engine: opensearch, crawl, textOf: (url) => records.get(url) }))
  const archive = stack.use(openArchive(fleet, options, records))
  const stream = await openStream(fleet, crawl)
  if (stream) stack.use(stream)
  let wake = () => {}
  const leaving = AbortSignal.any([hurry, ended.signal])
  const fail = (error: unknown) => failure.resolve(error as Error)
  const frontier = stack.use(
    await openFrontier(fleet, options, { courier, stream, leaving, fail, onAdmitted: () => wake() }),
  )
  const limit = stack.use(
    new RedisPageLimit({
      ...{ client: redis, prefix, crawl, worker, clock, maxPages: config.limits.maxPages },
      settledPages: async () => (await frontier.sums()).pages ?? 0,
    }),
  )
  const widened = await fleetWidenedHosts(fleet.factsOf(crawl), clock, ended.signal, fail)
  const decisions = stack.use(await openSharedHostSettings({ client: redis, courier, prefix, clock, fail }))
  const deciding = { client: redis, prefix, crawl, clock, courier }
  const claiming = stack.use(claimingContents(records, deciding))
  const nearDuplicates = stack.use(redisNearDuplicates(deciding))
  const letters = stream && new Letters(stream)
  const groups = new SafeGroups({
    ...{ clock, everyMs: safeEveryMs, hurry },
    // In the order in which a page is kept: whoever finds it anywhere finds what it refers to.
    async flush() {
      const sendLetters = letters?.take()
      await archive.flush()
      await records.flush()
      await index.flush()
      await sendLetters?.()
    },
  })
  stack.defer(() => ended.abort())
  const opened = stack.move()
  return {
    ...{ clock, frontier, archive, index, limit, widened, stream, letters, records: claiming, nearDuplicates },
    robots: redisRobots(redis, prefix, clock, courier),
    decisions,
    parsed: parsedPages({ ...fleet, courier, crawl }),
    takeBackUnsettled: () =>
      takeBackUnsettled({ ledger: redisLedger({ ...fleet, client: redis, crawl }), records, index }),
    safe: () => groups.safe(),
    room: () => groups.room,
    hasten: () => groups.hasten(),
    onWork(listener) {
      wake = listener
    },
    onFailure: (report) => void failure.promise.then(report),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function openArchive({ s3, clock, engines }: Fleet, options: FleetPortsOptions, records: RecordStore): Archive {
  const { crawl, worker, config, about } = options
  if (!config.store.archive) return noArchive
  if (!s3) throw new UsageError('A fleet keeps its archive on S3: set engines.s3.bucket, or crawl with --no-archive.')
  return openS3Archive({
    ...{ objects: objectStore(s3), crawl, worker, clock, config: config.store, spoolMib: engines.s3.spoolMib, about },
    findOriginal: async (url) => (await records.get(url))?.warc ?? undefined,
  }).archive
}

const noArchive: Archive = {
  append: () => Promise.reject(new Error('This crawl keeps no archive.')),
  flush: async () => {},
  read: async () => undefined,
  async [Symbol.asyncDispose]() {},
}

async function openStream({ kafka, clock, fingerprint }: Fleet, crawl: string): Promise<Stream | undefined> {
  if (!kafka) return undefined
  const { openKafkaStream } = await import('../stream/adapters/kafka/kafka-stream.ts')
  return openKafkaStream({ kafka, crawl, clock, hash: fingerprint })
}

interface FrontierParts {
  readonly courier: Courier
  readonly stream: Stream | undefined
  readonly leaving: AbortSignal
  readonly fail: (error: unknown) => void
  readonly onAdmitted: () => void
}

/** Redis schedules, and workers share out the hosts; where there is Kafka, it carries the URLs there and does that. */
async function openFrontier(fleet: Fleet, options: FleetPortsOptions, parts: FrontierParts): Promise<Frontier> {
  const { kafka, shards, clock, fingerprint, engines } = fleet
  const { crawl, worker, config, visits: isMember } = options
  const { courier, stream, leaving, fail, onAdmitted } = parts
  const scheduling = { ...frontierOptions(fleet, options), courier }
  if (!kafka || !stream) {
    const { prefix } = engines.redis
    const joining = { ...{ courier, prefix, crawl, worker, clock, leaving, fail }, shards: shards.count }
    const { isNear } = await joinCrew({ ...joining, hash: fingerprint })
    return new RedisFrontier({ ...scheduling, isNear })
  }
  const { bandWeights } = config.frontier
  const openInner = (ownedShards: () => readonly number[]) => new RedisFrontier({ ...scheduling, ownedShards })
  const { openKafkaFrontier } = await import('../frontier/adapters/kafka/kafka-frontier.ts')
  const frontier = await openKafkaFrontier({
    ...{ kafka, crawl, shards, clock, bandWeights, openInner, isMember, onAdmitted },
  })
  return endingWith(stream, frontier)
}

/**
 * For looking and offering: it holds nothing, so there is nothing to close. It takes nothing for known from its own
 * memory, so that what the engine has forgotten can be offered again.
 */
export function offeringFrontier(fleet: Fleet, crawl: Pick<FleetPortsOptions, 'crawl' | 'config'>): Frontier {
  return new RedisFrontier({ ...frontierOptions(fleet, crawl), recentUrls: 0 })
}

function frontierOptions(
  { redis, shards, clock, fingerprint }: Fleet,
  { crawl, config }: Pick<FleetPortsOptions, 'crawl' | 'config'>,
) {
  return {
    ...{ client: redis, shards, crawl, config: config.frontier, clock, fingerprint },
    initialPace: (host: HostKey) => initialPace(settingsFor(withoutPort(host), config.politeness), null),
  } satisfies RedisFrontierOptions
}
