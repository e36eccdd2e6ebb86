import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sharedEngines, skipWithout, withKafka } from '../../test/fleet/fleet-of-web.ts'
import { loadConfig } from '../config/load.ts'
import { objectStore } from '../engines/s3/objects.ts'
import { ensureUrlTopics } from '../frontier/adapters/kafka/url-topics.ts'
import { createTestBucket } from '../orchestrator/adapters/fleet/test-bucket.ts'
import { openSearchRecords } from '../store/adapters/opensearch/opensearch-records.ts'
import { openKafkaStream } from '../stream/adapters/kafka/kafka-stream.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { seedCandidate } from '../worker/seeds.ts'
import { connectFleet, type Fleet } from './fleet.ts'
import { forgetCrawl, keyPatterns } from './forget-crawl.ts'
import { offeringFrontier } from './open-ports.ts'

async function countKeys(fleet: Fleet, pattern: string): Promise<number> {
  let count = 0
  let cursor = '0'
  do {
    const [next, keys] = await (fleet.redis as import('ioredis').Redis).scan(cursor, 'MATCH', pattern, 'COUNT', 1000)
    count += keys.length
    cursor = next
  } while (cursor !== '0')
  return count
}

test('all that a crawl has is forgotten, and nothing of another', { skip: skipWithout(withKafka) }, async () => {
  const { config } = loadConfig({ overrides: sharedEngines(withKafka) })
  await createTestBucket(config)
  await using fleet = await connectFleet(config)
  const objects = objectStore(fleet.s3!)
  const { prefix } = fleet.engines.redis
  for (const crawl of ['gone', 'gone-not']) {
    await fleet.crawls.create(crawl, { seeds: ['http://a.test/'], config: {}, createdAt: 1 })
    await fleet.factsOf(crawl).append('scope.widened', 'b.test')
    const urls = Array.from({ length: 50 }, (_, n) => `http://h${n}.test/` as CanonicalUrl)
    await offeringFrontier(fleet, { crawl, config }).offer(urls.map((url) => seedCandidate(url, 'host')))
    for (const near of [`${prefix}:near:${crawl}`, `{${prefix}:near:${crawl}}`, `{${prefix}:content:${crawl}}`])
      await fleet.redis.set(`${near}:1`, 'x')
    await fleet.redis.set(`${prefix}:{${prefix}:crawl:${crawl}}:grants`, 'x')
    await objects.put(`crawl=${crawl}/date=2026-01-01/x.warc.gz`, randomBytes(10))
    await objects.put(`growing/crawl=${crawl}/date=2026-01-01/x.warc.gz/1-0`, randomBytes(10))
    await using _records = await openSearchRecords(fleet.opensearch, crawl)
    await ensureUrlTopics(fleet.kafka!, crawl, fleet.clock)
    await using _stream = await openKafkaStream({ ...fleet, kafka: fleet.kafka!, crawl, hash: fleet.fingerprint })
  }
  const kept = await countKeys(fleet, `*${prefix}:*gone-not*`)
  await forgetCrawl(fleet, 'gone')
  await forgetCrawl(fleet, 'gone')
  for (const pattern of keyPatterns(prefix, 'gone')) assert.equal(await countKeys(fleet, pattern), 0, pattern)
  assert.equal(await fleet.crawls.get('gone'), undefined)
  assert.deepEqual(
    (await fleet.crawls.list()).map(({ id }) => id),
    ['gone-not'],
  )
  assert.equal(await countKeys(fleet, `*${prefix}:*gone-not*`), kept)
  const left: string[] = []
  for await (const { key } of objects.list('')) left.push(key)
  assert.deepEqual(
    left.filter((key) => !key.includes('gone-not')),
    [],
  )
  assert.equal(left.length, 2)
  const topics = (await fleet.kafka!.admin.listTopics()).filter((topic) => topic.startsWith(prefix))
  const ofOther = ['pages', 'urls.high', 'urls.low', 'urls.medium'].map((kind) => `${prefix}.gone-not.${kind}`)
  assert.deepEqual(topics.toSorted(), ofOther)
})
