import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { engineFor } from '../../../test/engines.ts'
import { systemClock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import type { HostKey } from '../../url/keys.ts'
import { redisConfig } from './config.ts'
import { connectRedis } from './connect.ts'
import { claimShards, openShards } from './shards.ts'
import { slotOf } from './slot.ts'

const engine = engineFor('redis')
const clock = systemClock()

test('all keys of a shard lie in one slot, whatever their names', () => {
  const shards = openShards('fleet', 64, (text) => text.length)
  const shard = shards.of('a.test' as HostKey)
  assert.equal(shard, 6)
  const slots = [shards.fleetKey(shard, 'hosts:{odd}'), shards.crawlKey(shard, 'one', 'queue:1:{a}.test')].map(slotOf)
  assert.equal(new Set(slots).size, 1)
})

test('the number of shards is fixed when a fleet is first used', { skip: engine.skip ?? false }, async () => {
  const client = await connectRedis(redisConfig.parse({ url: engine.url }))
  const prefix = `test-${randomUUID()}`
  try {
    await claimShards(client, prefix, 64, clock)
    await claimShards(client, prefix, 64, clock)
    await assert.rejects(claimShards(client, prefix, 32, clock), (error) => {
      assert.ok(error instanceof UsageError)
      assert.match(error.message, /was begun with 64 shards/)
      return true
    })
  } finally {
    await client.del(`${prefix}:shards`)
    client.disconnect()
  }
})
