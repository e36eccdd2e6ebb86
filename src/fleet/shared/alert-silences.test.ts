import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { engineFor } from '../../../test/engines.ts'
import { systemClock } from '../../clock.ts'
import { enginesConfig } from '../../engines/config.ts'
import { connectRedis } from '../../engines/redis/connect.ts'
import { sharedSilences } from './alert-silences.ts'

const engine = engineFor('redis')

test('a silence that one server sets holds for all of them, until it is taken back', {
  skip: engine.skip ?? false,
}, async () => {
  const engines = enginesConfig.parse({ redis: { url: engine.url, prefix: `t${randomBytes(6).toString('hex')}` } })
  const redis = await connectRedis(engines.redis)
  try {
    const fleet = { redis, clock: systemClock(), engines }
    const [one, other] = [sharedSilences(fleet), sharedSilences(fleet)]
    assert.deepEqual(await other.all(), new Map())
    await one.set('disk-full', 123)
    await one.set('worker-lost', 456)
    assert.deepEqual(
      await other.all(),
      new Map([
        ['disk-full', 123],
        ['worker-lost', 456],
      ]),
    )
    await other.set('disk-full', 0)
    assert.deepEqual([...(await one.all()).keys()], ['worker-lost'])
  } finally {
    redis.disconnect()
  }
})
