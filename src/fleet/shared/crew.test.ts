import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { engineFor } from '../../../test/engines.ts'
import { systemClock } from '../../clock.ts'
import { redisConfig } from '../../engines/redis/config.ts'
import { connectRedis } from '../../engines/redis/connect.ts'
import { Courier } from '../../engines/redis/courier.ts'
import { loadFingerprint } from '../../url/keys.ts'
import { registryKeys } from '../registry/keys.ts'
import { type Crew, joinCrew } from './crew.ts'

const engine = engineFor('redis')
const shards = 16
const all = Array.from({ length: shards }, (_, shard) => shard)
const nearTo = ({ isNear }: Crew) => all.filter(isNear)

test('a crew shares out the shards; who leaves, or falls silent, has no part in them', {
  skip: engine.skip ?? false,
}, async () => {
  const client = await connectRedis(redisConfig.parse({ url: engine.url }))
  const ended = new AbortController()
  try {
    const prefix = `t${randomBytes(6).toString('hex')}`
    const [hash, clock, courier] = [await loadFingerprint(), systemClock(), new Courier({ client })]
    const fail = (error: unknown) => assert.fail(String(error))
    const join = (worker: string, leaving = ended.signal) =>
      joinCrew({ ...{ courier, prefix, crawl: 'c', worker, shards, hash, clock, leaving, fail } })
    await client.zadd(registryKeys(prefix).crew('c'), 1, 'silent')
    const first = await join('first')
    assert.deepEqual(nearTo(first), all, 'alone, it has all')
    const leaving = new AbortController()
    const second = await join('second', leaving.signal)
    assert.equal(nearTo(second).length, shards / 2)
    while (nearTo(first).length === shards) await clock.sleep(50)
    assert.deepEqual(
      [...nearTo(first), ...nearTo(second)].toSorted((a, b) => a - b),
      all,
    )
    leaving.abort()
    while (nearTo(first).length < shards) await clock.sleep(50)
  } finally {
    ended.abort()
    client.disconnect()
  }
})
