import { randomBytes } from 'node:crypto'
import { engineFor } from '../../../../test/engines.ts'
import { systemClock } from '../../../clock.ts'
import { kafkaConfig } from '../../../engines/kafka/config.ts'
import { connectKafka, type Kafka } from '../../../engines/kafka/connect.ts'
import { openShards } from '../../../engines/redis/shards.ts'
import { type CanonicalUrl, type HostKey, loadFingerprint } from '../../../url/keys.ts'
import { frontierConfig } from '../../config.ts'
import type { Band, Candidate } from '../../frontier.ts'
import { RedisFrontier, type RedisFrontierOptions } from '../redis/redis-frontier.ts'
import { connectForTest } from '../redis/test-redis-frontier.ts'
import { type KafkaFrontier, openKafkaFrontier } from './kafka-frontier.ts'

const kafkaEngine = engineFor('kafka')
const redisEngine = engineFor('redis')

export const skip = kafkaEngine.skip ?? redisEngine.skip ?? false

/** Where a crawl is; enough for another process to join it. */
export interface TestPlace {
  readonly brokers: readonly string[]
  readonly redis: string
  readonly crawl: string
  readonly shards: number
  readonly leaseMs: number
}

/** For tests: a crawl on the engines that the tests share, with a gap of `gapMs` for every host. */
export interface TestCrawl extends AsyncDisposable {
  readonly place: TestPlace
  readonly kafka: Kafka
  /** One more member, or one that only offers. */
  open(isMember?: boolean): Promise<KafkaFrontier>
}

export function newPlace(more: Partial<TestPlace> = {}): TestPlace {
  const brokers = (kafkaEngine.url ?? '').split(',')
  const crawl = randomBytes(6).toString('hex')
  return { brokers, redis: redisEngine.url ?? '', crawl, shards: 12, leaseMs: 60_000, ...more }
}

export async function joinCrawl(
  place: TestPlace,
  gapMs: number,
  inner: Partial<RedisFrontierOptions> = {},
): Promise<TestCrawl> {
  const { brokers, crawl, leaseMs } = place
  const partitions = { high: 1, medium: 2, low: 3, pages: 1 }
  const settings = { brokers, prefix: 'test-urls', partitions, sessionTimeoutMs: 6000 }
  const kafka = await connectKafka(kafkaConfig.parse(settings))
  const client = await connectForTest(place.redis)
  const clock = systemClock()
  const fingerprint = await loadFingerprint()
  const shards = openShards(`test-${crawl}`, place.shards, fingerprint)
  const scheduling: RedisFrontierOptions = {
    ...{ client, shards, crawl, clock, fingerprint, config: frontierConfig.parse({ leaseMs }) },
    initialPace: () => ({ gapMs, burst: 1, connections: 1, failures: 0 }),
    ...inner,
  }
  return {
    ...{ place, kafka },
    open: (isMember = true) =>
      openKafkaFrontier({
        ...{ kafka, crawl, shards, clock, isMember, bandWeights: [70, 20, 10] },
        openInner: (ownedShards) => new RedisFrontier({ ...scheduling, ownedShards }),
      }),
    async [Symbol.asyncDispose]() {
      await kafka[Symbol.asyncDispose]()
      client.disconnect()
    },
  }
}

export function candidate(host: string, path: string, band: Band = 'low'): Candidate {
  const url = `http://${host}/${path}` as CanonicalUrl
  return { url, host: host as HostKey, band, depth: 0, parent: null, redirects: 0 }
}

/** Resolves when all that was carried has been admitted. */
export function arrived(frontier: KafkaFrontier): Promise<void> {
  return until(async () => (await frontier.lag()).waiting === 0, 'what was carried was not admitted')
}

export async function until(condition: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
  const clock = systemClock()
  for (const deadline = clock.now() + 20_000; !(await condition()); await clock.sleep(5))
    if (clock.now() > deadline) throw new Error(`${otherwise} in 20 s`)
}
