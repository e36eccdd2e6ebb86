import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { engineFor } from '../../../../test/engines.ts'
import { systemClock } from '../../../clock.ts'
import { redisConfig } from '../../../engines/redis/config.ts'
import type { Resolution } from '../../resolver.ts'
import { sharedNames } from './shared-names.ts'

const engine = engineFor('redis')
const clock = systemClock()
const resolution: Resolution = {
  kind: 'resolved',
  addresses: [{ address: '192.0.2.7', family: 4 }],
  ttlMs: 60_000,
}

test('what one thread learned another is told', { skip: engine.skip ?? false }, async () => {
  const config = redisConfig.parse({ url: engine.url, prefix: `t${randomBytes(6).toString('hex')}` })
  using mine = sharedNames(config, clock)
  using others = sharedNames(config, clock)
  let told: Resolution | undefined
  for (let tries = 0; tries < 500 && !told; tries++) {
    mine.put('a.test', resolution)
    told = await others.get('a.test')
    await clock.sleep(10)
  }
  assert.deepEqual(told && { ...told, ttlMs: 0 }, { ...resolution, ttlMs: 0 })
})

test('an engine that is not there is nobody’s trouble', async () => {
  using names = sharedNames(redisConfig.parse({ url: 'redis://127.0.0.1:1' }), clock)
  names.put('a.test', resolution)
  assert.equal(await names.get('a.test'), undefined)
})
