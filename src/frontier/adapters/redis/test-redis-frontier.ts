import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../clock.ts'
import { redisConfig } from '../../../engines/redis/config.ts'
import { connectRedis, type RedisClient } from '../../../engines/redis/connect.ts'
import { openShards } from '../../../engines/redis/shards.ts'
import { loadFingerprint } from '../../../url/keys.ts'
import { frontierConfig } from '../../config.ts'
import type { RedisFrontierOptions } from './redis-frontier.ts'

/** For tests: a client for `redis://…`, or for the nodes of a Cluster, `host:port,host:port`. */
export function connectForTest(place: string): Promise<RedisClient> {
  const where = place.includes('://') ? { url: place } : { cluster: place.split(',') }
  return connectRedis(redisConfig.parse(where))
}

export interface TestFleet {
  readonly options: RedisFrontierOptions
  readonly time: { now: number }
}

/** For tests: a fleet of its own, with a gap of one second for every host, and time that a test moves. */
export async function testFleet(
  client: RedisClient,
  shards: number,
  prefix = `test-${randomUUID()}`,
): Promise<TestFleet> {
  const time = { now: 1_700_000_000_000 }
  const clock: Clock = { now: () => time.now, sleep: async () => {} }
  const fingerprint = await loadFingerprint()
  return {
    time,
    options: {
      ...{ client, clock, fingerprint, crawl: 'test', config: frontierConfig.parse({ leaseMs: 60_000 }) },
      shards: openShards(prefix, shards, fingerprint),
      initialPace: () => ({ gapMs: 1000, burst: 1, connections: 1, failures: 0 }),
      engineTime: () => time.now,
    },
  }
}
