import { UsageError } from '../config/usage-error.ts'
import type { CrawlReader } from '../crawl-reader.ts'
import { objectStore } from '../engines/s3/objects.ts'
import { type RedisLedger, redisLedger } from '../frontier/adapters/redis/redis-ledger.ts'
import { openSearchIndex } from '../index/adapters/opensearch/opensearch-index.ts'
import { redisRobots } from '../politeness/adapters/redis/redis-robots.ts'
import { openSearchRecords } from '../store/adapters/opensearch/opensearch-records.ts'
import { openS3ArchiveReader } from '../store/adapters/s3/s3-archive.ts'
import { configOf } from './crawl-orders.ts'
import type { Fleet } from './fleet.ts'
import type { CrawlState } from './registry/crawls.ts'

/** A crawl of a fleet, for reading. */
export interface FleetReader extends CrawlReader {
  readonly crawl: string
  readonly ledger: RedisLedger
  state(): Promise<CrawlState>
}

/** Opens a crawl of the fleet for reading, also while workers work on it. */
export async function openFleetReader(fleet: Fleet, crawl: string): Promise<FleetReader> {
  const { redis, shards, opensearch, s3, fingerprint, clock, engines } = fleet
  const entry = await fleet.crawls.get(crawl)
  if (!entry) throw noSuchCrawl(crawl)
  const { seeds, config: given, createdAt } = entry.orders
  const config = configOf(entry.orders, engines)
  await using stack = new AsyncDisposableStack()
  const records = stack.use(await openSearchRecords(opensearch, crawl))
  const index = stack.use(await openSearchIndex({ engine: opensearch, crawl, textOf: (url) => records.get(url) }))
  const ledger = stack.use(redisLedger({ client: redis, shards, crawl, fingerprint }))
  const widened = await fleet.factsOf(crawl).list('scope.widened')
  const opened = stack.move()
  return {
    crawl,
    orders: { seeds, config: given, createdAt: new Date(createdAt).toISOString() },
    ...{ ledger, records, index },
    robots: redisRobots(redis, engines.redis.prefix, clock),
    archive: s3 ? openS3ArchiveReader(objectStore(s3), crawl, config.store) : noArchive,
    widened: {
      each(widen) {
        for (const host of widened) widen(host)
      },
    },
    async state() {
      return (await fleet.crawls.get(crawl))?.state ?? 'stopped'
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export const noSuchCrawl = (crawl: string) =>
  new UsageError(`There is no crawl "${crawl}" in this fleet: \`orbweaver status\` lists them.`)

const noArchive: CrawlReader['archive'] = { read: async () => undefined }
