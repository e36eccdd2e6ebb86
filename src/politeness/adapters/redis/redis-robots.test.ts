import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Clock, systemClock } from '../../../clock.ts'
import { somePrefix, testRedises } from '../../../engines/redis/test-redis.ts'
import type { Origin } from '../../../url/keys.ts'
import { robotsStoreConformance } from '../../robots-store.conformance.ts'
import type { RobotsEntry } from '../../robots-store.ts'
import { redisRobots } from './redis-robots.ts'

const clock = systemClock()
const A = 'https://a.test' as Origin
const dayMs = 86_400_000

function entryNow(text: string): RobotsEntry & { kind: 'rules' } {
  return { kind: 'rules', text, fetchedAt: clock.now(), expiresAt: clock.now() + dayMs }
}

for (const { name, skip, connect } of testRedises) {
  const place = (t: TestContext) => {
    const prefix = somePrefix()
    return async () => redisRobots(await connect(t), prefix, clock)
  }
  robotsStoreConformance(name, place, skip)

  describe(`${name}: robots store`, { skip }, () => {
    test('an entry is known to other workers', async (t) => {
      const prefix = somePrefix()
      const entry = entryNow('User-agent: *')
      await redisRobots(await connect(t), prefix, clock).put(A, entry)
      assert.deepEqual(await redisRobots(await connect(t), prefix, clock).get(A), entry)
    })

    test('Redis forgets an entry a day after its life', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      await redisRobots(client, prefix, clock).put(A, entryNow(''))
      const leftMs = await client.pttl(`${prefix}:robots:${A}`)
      assert.ok(leftMs > 2 * dayMs - 60_000 && leftMs <= 2 * dayMs, String(leftMs))
    })

    test('a worker whose clock is hours off sees the same life, told by its own clock', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const offMs = 5 * 3_600_000
      const ahead: Clock = { now: () => clock.now() + offMs, sleep: clock.sleep }
      const entry = entryNow('')
      await redisRobots(client, prefix, clock).put(A, entry)
      const seen = await redisRobots(client, prefix, ahead).get(A)
      assert.ok(Math.abs(seen!.expiresAt - offMs - entry.expiresAt) < 10_000)
      assert.equal(seen!.expiresAt - seen!.fetchedAt, entry.expiresAt - entry.fetchedAt)
    })

    test('large files take little room', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const text = Array.from({ length: 1000 }, (_, i) => `Disallow: /private/area/${i}/`).join('\n')
      await redisRobots(client, prefix, clock).put(A, entryNow(text))
      assert.ok((await client.strlen(`${prefix}:robots:${A}`)) < text.length / 4)
    })

    test('what is no entry is answered with one clear sentence', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const key = `${prefix}:robots:${A}`
      const store = redisRobots(client, prefix, clock)
      for (const value of ['', 'j', 'j{"kind":"rules"}', 'z???', '{"kind":"none"}']) {
        await client.set(key, value)
        await assert.rejects(store.get(A), /robots:https:\/\/a.test" holds something that this version/, value)
      }
      await client.del(key)
      await client.hset(key, 'a', 'b')
      await assert.rejects(store.get(A), /robots:https:\/\/a.test" holds something that this version/)
      await store.put(A, entryNow(''))
      assert.equal((await store.get(A))?.kind, 'rules')
    })
  })
}
