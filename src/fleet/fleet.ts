import { type Clock, systemClock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import { UsageError } from '../config/usage-error.ts'
import type { EnginesConfig } from '../engines/config.ts'
import { isFleet } from '../engines/is-fleet.ts'
import type { Kafka } from '../engines/kafka/connect.ts'
import type { OpenSearch } from '../engines/opensearch/client.ts'
import { connectOpenSearch } from '../engines/opensearch/connect.ts'
import type { RedisConfig } from '../engines/redis/config.ts'
import { connectRedis, type RedisClient } from '../engines/redis/connect.ts'
import { Courier } from '../engines/redis/courier.ts'
import { claimShards, openShards, type Shards } from '../engines/redis/shards.ts'
import { connectS3, type S3Connection } from '../engines/s3/connect.ts'
import { engineNews } from '../monitor/events.ts'
import { loadFingerprint } from '../url/keys.ts'
import { claimPlaces } from './places.ts'
import { type CrawlFacts, crawlFacts } from './registry/crawl-facts.ts'
import { type CrawlRegistry, crawlRegistry } from './registry/crawls.ts'
import { type WorkerRegistry, workerRegistry } from './registry/workers.ts'

/** The engines of a fleet, connected, and what all who take part in it share. */
export interface Fleet extends AsyncDisposable {
  readonly engines: EnginesConfig
  readonly clock: Clock
  readonly redis: RedisClient
  /** For what can be asked together with other things. */
  readonly courier: Courier
  readonly shards: Shards
  readonly fingerprint: (text: string) => number
  readonly opensearch: OpenSearch
  /** `undefined`: crawls keep no archive. */
  readonly s3: S3Connection | undefined
  /** `undefined`: URLs go straight to Redis. */
  readonly kafka: Kafka | undefined
  readonly crawls: CrawlRegistry
  readonly workers: WorkerRegistry
  factsOf(crawl: string): CrawlFacts
}

/**
 * Connects to every engine that the settings name; the first that cannot be used is told in one sentence. Who comes to
 * `stay` waits for a Redis that is in the middle of a fail-over.
 */
export async function connectFleet(
  { engines }: Pick<Config, 'engines'>,
  comesTo: 'look' | 'stay' = 'look',
): Promise<Fleet> {
  if (!isFleet(engines))
    throw new UsageError(
      'No fleet is configured: name its engines in the settings (docs/fleet.md), engines.redis first.',
    )
  if (engines.opensearch.urls.length === 0)
    throw new UsageError('A fleet keeps its pages in OpenSearch or Elasticsearch: set engines.opensearch.urls.')
  const clock = systemClock()
  const fingerprint = await loadFingerprint()
  await using stack = new AsyncDisposableStack()
  const redis = stack.adopt(await connectRedis(engines.redis, limitMsFor(engines.redis, comesTo)), (client) =>
    client.disconnect(),
  )
  tellOfRedis(redis)
  const opensearch = stack.use(await connectOpenSearch(engines.opensearch, clock))
  const s3 = engines.s3.bucket === '' ? undefined : stack.use(await connectS3(engines.s3, 'write', clock))
  const kafka = engines.kafka.brokers.length === 0 ? undefined : stack.use(await openKafka(engines.kafka))
  const { prefix, shards } = engines.redis
  await claimShards(redis, prefix, shards, clock)
  await claimPlaces(redis, engines, clock)
  const courier = new Courier({ client: redis, gatherMs, companyMs })
  const connected = stack.move()
  return {
    ...{ engines, clock, fingerprint, redis, courier, opensearch, s3, kafka },
    shards: openShards(prefix, shards, fingerprint),
    crawls: crawlRegistry(redis, prefix, clock, courier),
    workers: workerRegistry(redis, prefix, clock, courier),
    factsOf: (crawl) => crawlFacts(redis, prefix, crawl, clock, courier),
    [Symbol.asyncDispose]: () => connected.disposeAsync(),
  }
}

/** Its client is large, and most fleets have none. */
async function openKafka(config: EnginesConfig['kafka']): Promise<Kafka> {
  const { connectKafka } = await import('../engines/kafka/connect.ts')
  return connectKafka(config)
}

/** Pages wait for their group anyway: questions about them may gather too. */
const gatherMs = 100
const companyMs = 250

function limitMsFor({ cluster, sentinels }: RedisConfig, comesTo: 'look' | 'stay'): number {
  return comesTo === 'stay' && cluster.length + sentinels.length > 0 ? 30_000 : 5000
}

/** Its client waits and connects again by itself, without an error that anybody would see. */
function tellOfRedis(client: RedisClient): void {
  const tell = (isAway: boolean, reason: string) => engineNews.tell({ engine: 'redis', isAway, reason })
  client.on('reconnecting', () => tell(true, 'the connection was lost'))
  client.on('ready', () => tell(false, ''))
}
