import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engineFor } from '../../../../test/engines.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import { frontierConfig } from '../../config.ts'
import type { Candidate } from '../../frontier.ts'
import { KnownUrls } from './known-urls.ts'
import { RedisFrontier } from './redis-frontier.ts'
import { connectForTest, testFleet } from './test-redis-frontier.ts'

const pages = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n): Candidate => {
    const url = `https://a.test/${from + n}` as CanonicalUrl
    return { url, host: 'a.test' as HostKey, band: 'medium', depth: 0, parent: null, redirects: 0 }
  })

test('what the engine has confirmed is known, what it has not is asked about or offered', () => {
  const known = new KnownUrls(8, 1000)
  assert.equal(known.recall(5), 'new')
  known.confirm(5)
  assert.equal(known.recall(5), 'known')
  known.confirm(13)
  assert.equal(known.recall(5), 'perhaps', 'a newer one took its place')
  known.doubt()
  assert.equal(known.recall(13), 'perhaps', 'an engine that may have forgotten is asked again')
})

test('a filter that is wrong too often is worn, until it is renewed', () => {
  const known = new KnownUrls(8, 1000)
  for (let n = 0; n < 5000; n++) known.guessed(n % 50 !== 0)
  assert.equal(known.isWorn, true)
  known.keep()
  assert.equal(known.isWorn, false)
})

const engine = engineFor('redis')

describe('links that were seen before', { skip: engine.skip ?? false }, () => {
  let client: RedisClient
  before(async () => {
    client = await connectForTest(engine.url!)
  })
  after(() => client.disconnect())

  test('cost no trip when they were confirmed lately', async () => {
    const frontier = new RedisFrontier((await testFleet(client, 4)).options)
    await frontier.offer(pages(100))
    const { trips } = frontier.traffic
    assert.ok((await frontier.offer(pages(100))).every((answer) => answer === 'known'))
    assert.equal(frontier.traffic.trips, trips)
  })

  test('are asked about when that was long ago, and wrong guesses of the filter lose no page', async () => {
    const { options } = await testFleet(client, 1)
    // A filter for one URL that has to hold thousands is as wrong as a filter can be.
    const config = frontierConfig.parse({ expectedUrls: 1 })
    const frontier = new RedisFrontier({ ...options, config, recentUrls: 16 })
    for (let n = 0; n < 4000; n += 200) {
      const answers = await frontier.offer([...pages(200, n), ...pages(200, Math.max(0, n - 200))])
      assert.ok(answers.slice(0, 200).every((answer) => answer === 'admitted'))
      if (n > 0) assert.ok(answers.slice(200).every((answer) => answer === 'known'))
    }
    assert.equal((await frontier.counts()).admitted, 4000)
  })

  test('that the engine has forgotten wear the filter, which is then read from the engine', async () => {
    const { options } = await testFleet(client, 1)
    const frontier = new RedisFrontier({ ...options, recentUrls: 0 })
    await frontier.offer(pages(3000))
    const key = (name: string) => options.shards.crawlKey(0, options.crawl, name)
    const buckets = Number(await client.hget(key('counts'), 'seenBuckets'))
    for (let n = 0; n < buckets; n++) await client.del(key(`seen:${n}`))
    const again = await frontier.offer(pages(3000))
    assert.ok(again.every((answer) => answer === 'admitted'))
    await frontier[Symbol.asyncDispose]()
    assert.ok((await frontier.offer(pages(3000))).every((answer) => answer === 'known'))
  })
})
