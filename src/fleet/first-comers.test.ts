import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownEngine, startRedis } from '../../test/engines.ts'
import { systemClock } from '../clock.ts'
import { RedisNearDuplicates } from '../dedup/adapters/redis/redis-near-duplicates.ts'
import { Courier } from '../engines/redis/courier.ts'
import { Script } from '../engines/redis/script.ts'
import { connectTo } from '../engines/redis/test-redis.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { claimingContents } from './content-claims.ts'

const clock = systemClock()
const holdMs = 1000
/** What a worker asks anyway, each second. */
const noise = new Script("return redis.call('INCR', KEYS[1])")

test('two workers agree on the first of equal and of nearly equal pages after Redis has lost everything', async (t) => {
  await using redis = await ownEngine(t, () => startRedis())
  if (!redis) return
  const records = { findByContent: async () => undefined } as Partial<RecordStore> as RecordStore
  const members = await Promise.all(
    [0, 1].map(async () => {
      const client = await connectTo(t, redis.url)
      const courier = new Courier({ client })
      const options = { client, courier, clock, holdMs, prefix: 'p', crawl: 'c' }
      const near = new RedisNearDuplicates(options)
      return {
        near,
        claims: claimingContents(records, options),
        breathe: () => courier.ask({ script: noise, keys: ['noise'] }),
      }
    }),
  )
  const [first, second] = members as [(typeof members)[0], (typeof members)[0]]
  assert.equal(await first.near.findOrAdd(url('a'), '00000000000000ff'), undefined)
  assert.equal(await first.claims.findByContent('same', url('a')), undefined)
  assert.equal(await second.near.findOrAdd(url('c'), 'ff00000000000000'), undefined)
  assert.equal(await second.claims.findByContent('other', url('c')), undefined)
  await redis.kill()
  await redis.restart()
  const asked = [second.near.findOrAdd(url('b'), '00000000000000fe'), second.claims.findByContent('same', url('b'))]
  await clock.sleep(holdMs / 4)
  await first.breathe()
  assert.deepEqual(await Promise.all(asked), [url('a'), url('a')])
})

const url = (path: string) => `http://a.test/${path}` as CanonicalUrl
