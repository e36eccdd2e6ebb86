import { Cluster } from 'ioredis'
import { UsageError } from '../config/usage-error.ts'
import type { Kafka } from '../engines/kafka/connect.ts'
import { removeTopics } from '../engines/kafka/topics.ts'
import { dropCrawl } from '../engines/opensearch/versioned-index.ts'
import type { RedisClient } from '../engines/redis/connect.ts'
import { type ObjectStore, objectStore } from '../engines/s3/objects.ts'
import { urlTopicName } from '../frontier/adapters/kafka/url-topics.ts'
import { bands } from '../frontier/bands.ts'
import { pageTopicName } from '../stream/adapters/kafka/kafka-stream.ts'
import type { Fleet } from './fleet.ts'

const keysAtOnce = 1000
const objectsAtOnce = 20

/**
 * Removes all that a crawl has in the engines, and the crawl from the list last: cut short, it can be repeated. What is
 * known of hosts belongs to the fleet and stays. Topics that the user of Kafka may not remove stay, too: that is thrown,
 * in one sentence, when everything else is gone.
 */
export async function forgetCrawl(fleet: Fleet, crawl: string): Promise<void> {
  const { opensearch, s3, redis, kafka, crawls, engines, clock } = fleet
  const kept = kafka ? await removeTopics(kafka, topicsOf(kafka, crawl), clock) : []
  await dropCrawl(opensearch, crawl)
  if (s3) await removeObjects(objectStore(s3), crawl)
  await removeKeys(redis, keyPatterns(engines.redis.prefix, crawl))
  await crawls.remove(crawl)
  if (kept.length > 0)
    throw new UsageError(
      `${crawl} is removed, but Kafka does not let its topics go: allow DELETE on the prefix, and remove ${kept.join(', ')} yourself.`,
    )
}

function topicsOf(kafka: Kafka, crawl: string): string[] {
  return [...bands.map((band) => urlTopicName(kafka, crawl, band)), pageTopicName(kafka, crawl)]
}

/** Of the frontier in every shard, of pages granted, of near-duplicates and claims, and lists of the registry. */
export function keyPatterns(prefix: string, crawl: string): string[] {
  const literal = (text: string) => text.replaceAll(/[\\*?[\]]/g, '\\$&')
  const [fleet, name] = [literal(prefix), literal(crawl)]
  return [
    `${fleet}:{${fleet}:*}:crawl:${name}:*`,
    `${fleet}:{${fleet}:crawl:${name}}:*`,
    `${fleet}:near:${name}:*`,
    `{${fleet}:near:${name}}:*`,
    `{${fleet}:content:${name}}:*`,
  ]
}

/** Goes through the keys of every master, some at a time; others are served in between. */
async function removeKeys(client: RedisClient, patterns: readonly string[]): Promise<void> {
  const nodes = client instanceof Cluster ? client.nodes('master') : [client]
  for (const node of nodes)
    for (const pattern of patterns) {
      let cursor = '0'
      do {
        const [next, keys] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', keysAtOnce)
        // One by one: keys of one answer lie in different slots.
        await Promise.all(keys.map((key) => client.unlink(key)))
        cursor = next
      } while (cursor !== '0')
    }
}

async function removeObjects(objects: ObjectStore, crawl: string): Promise<void> {
  for (const folder of [`crawl=${crawl}/`, `growing/crawl=${crawl}/`]) {
    let batch: Promise<void>[] = []
    for await (const { key } of objects.list(folder)) {
      batch.push(objects.remove(key))
      if (batch.length < objectsAtOnce) continue
      await Promise.all(batch)
      batch = []
    }
    await Promise.all(batch)
  }
}
