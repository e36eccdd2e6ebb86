import { randomBytes } from 'node:crypto'
import { engineFor } from '../../../../test/engines.ts'
import { systemClock } from '../../../clock.ts'
import { type KafkaConfig, kafkaConfig } from '../../../engines/kafka/config.ts'
import { connectKafka, type Kafka } from '../../../engines/kafka/connect.ts'
import { RedisFrontier } from '../redis/redis-frontier.ts'
import { connectForTest, type TestFleet, testFleet } from '../redis/test-redis-frontier.ts'
import { type KafkaFrontier, openKafkaFrontier } from './kafka-frontier.ts'

const kafkaEngine = engineFor('kafka')
const redisEngine = engineFor('redis')

export const skip = kafkaEngine.skip ?? redisEngine.skip ?? false

/** For tests: a crawl of its own on the engines that the tests share. */
export interface TestCrawl extends AsyncDisposable {
  readonly kafka: Kafka
  readonly crawl: string
  readonly fleet: TestFleet
  /** One more member, or one that only offers. */
  open(isMember?: boolean): Promise<KafkaFrontier>
}

export async function testCrawl(shards: number, more: Partial<KafkaConfig> = {}): Promise<TestCrawl> {
  const partitions = { high: 1, medium: 2, low: 3, pages: 1 }
  const settings = {
    brokers: (kafkaEngine.url ?? '').split(','),
    prefix: 'test-urls',
    partitions,
    sessionTimeoutMs: 6000,
  }
  const kafka = await connectKafka(kafkaConfig.parse({ ...settings, ...more }))
  const client = await connectForTest(redisEngine.url!)
  const fleet = await testFleet(client, shards)
  const crawl = randomBytes(6).toString('hex')
  return {
    ...{ kafka, crawl, fleet },
    open: (isMember = true) =>
      openKafkaFrontier({
        ...{ kafka, crawl, shards: fleet.options.shards, isMember },
        clock: systemClock(),
        bandWeights: [70, 20, 10],
        openInner: (ownedShards) => new RedisFrontier({ ...fleet.options, ownedShards }),
      }),
    async [Symbol.asyncDispose]() {
      await kafka[Symbol.asyncDispose]()
      client.disconnect()
    },
  }
}

/** Resolves when all that was carried has been admitted. */
export async function arrived(frontier: KafkaFrontier): Promise<void> {
  const clock = systemClock()
  for (const deadline = clock.now() + 20_000; (await frontier.lag()).waiting > 0; await clock.sleep(5))
    if (clock.now() > deadline) throw new Error('what was carried was not admitted in 20 s')
}
