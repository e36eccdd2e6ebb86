import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownEngine, startRedis } from '../../../test/engines.ts'
import { systemClock } from '../../clock.ts'
import { openShards } from '../../engines/redis/shards.ts'
import { connectTo, somePrefix, testRedises } from '../../engines/redis/test-redis.ts'
import { openBeacons } from './beacons.ts'

const clock = systemClock()
const shardsOf = (prefix: string) => openShards(prefix, 4, () => 0)

for (const { name, skip, connect } of testRedises)
  describe(`${name}: beacons`, { skip }, () => {
    test('nothing is lost while every shard remembers its last note', async (t) => {
      const beacons = openBeacons({ client: await connect(t), shards: shardsOf(somePrefix()) })
      for (let i = 0; i < 5; i++) assert.deepEqual(await beacons.check(), [])
    })

    test('a shard that has an older note than it was given has lost what came after it, and is told once', async (t) => {
      const client = await connect(t)
      const shards = shardsOf(somePrefix())
      const key = shards.fleetKey(2, 'beacon')
      const beacons = openBeacons({ client, shards })
      await beacons.check()
      const old = await client.get(key)
      await clock.sleep(2)
      await beacons.check()
      await client.set(key, old!)
      assert.deepEqual(await beacons.check(), [{ kind: 'lost', shards: [2], since: Number(old) }])
      assert.deepEqual(await beacons.check(), [])
      await client.del(key)
      assert.deepEqual(await beacons.check(), [{ kind: 'lost', shards: [2], since: 0 }])
      assert.deepEqual(await beacons.check(), [])
    })

    test('a new leader takes over from one that has just been there without a word', async (t) => {
      const options = { client: await connect(t), shards: shardsOf(somePrefix()), clock }
      await openBeacons(options).check()
      assert.deepEqual(await openBeacons(options).check(), [])
    })

    test('what nobody watched for a while may have been lost', async (t) => {
      const client = await connect(t)
      const shards = shardsOf(somePrefix())
      await openBeacons({ client, shards }).check()
      const notes = [0, 1, 2, 3].map(async (shard) => Number(await client.get(shards.fleetKey(shard, 'beacon'))))
      const since = Math.min(...(await Promise.all(notes)))
      await clock.sleep(30)
      const beacons = openBeacons({ client, shards, watchedMs: 10 })
      assert.deepEqual(await beacons.check(), [{ kind: 'unwatched', shards: [0, 1, 2, 3], since }])
      await clock.sleep(30)
      assert.deepEqual(await beacons.check(), [])
    })

    test('what is no beacon is answered with one clear sentence', async (t) => {
      const client = await connect(t)
      const shards = shardsOf(somePrefix())
      await client.set(shards.fleetKey(1, 'beacon'), 'fire')
      const beacons = openBeacons({ client, shards })
      await assert.rejects(beacons.check(), /:beacon" holds something that this version of Orbweaver/)
      await client.del(shards.fleetKey(1, 'beacon'))
      await client.hset(shards.fleetKey(1, 'beacon'), 'a', 'b')
      await assert.rejects(beacons.check(), /:beacon" holds something that this version of Orbweaver/)
    })
  })

test('an engine that comes back without its data has lost everything; one that kept it, nothing', async (t) => {
  for (const appendOnly of [false, true]) {
    await using engine = await ownEngine(t, () => startRedis({ appendOnly }))
    if (!engine) return
    const beacons = openBeacons({ client: await connectTo(t, engine.url), shards: shardsOf(somePrefix()) })
    await beacons.check()
    await engine.kill()
    await engine.restart()
    const expected = appendOnly ? [] : [{ kind: 'lost', shards: [0, 1, 2, 3], since: 0 }]
    assert.deepEqual(await beacons.check(), expected)
  }
})

test('an engine that comes back with an older snapshot has lost what came after it', async (t) => {
  await using engine = await ownEngine(t, () => startRedis())
  if (!engine) return
  const client = await connectTo(t, engine.url)
  const shards = shardsOf(somePrefix())
  const beacons = openBeacons({ client, shards })
  await beacons.check()
  await client.call('SAVE')
  const notes = [0, 1, 2, 3].map(async (shard) => Number(await client.get(shards.fleetKey(shard, 'beacon'))))
  const since = Math.min(...(await Promise.all(notes)))
  await clock.sleep(5)
  await beacons.check()
  await engine.kill()
  await engine.restart()
  assert.deepEqual(await beacons.check(), [{ kind: 'lost', shards: [0, 1, 2, 3], since }])
})
