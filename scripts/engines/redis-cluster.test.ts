import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cluster } from 'ioredis'
import { ownEngine, startRedisCluster } from '../../test/engines.ts'
import { slotsOf } from './redis-cluster.ts'

test('the masters share all slots', () => {
  assert.deepEqual([0, 1, 2].map(slotsOf), [
    [0, 5461],
    [5462, 10922],
    [10923, 16383],
  ])
})

test('when a master is killed its replica takes over with what it had', async (t) => {
  await using cluster = await ownEngine(t, startRedisCluster)
  if (cluster === undefined) return
  const nodes = cluster.url.split(',').map((node) => `redis://${node}`)
  const client = new Cluster(nodes, { clusterRetryStrategy: () => 50, retryDelayOnFailover: 50, maxRedirections: 1000 })
  t.after(() => client.disconnect())
  await Promise.all(Array.from({ length: 30 }, (_, n) => client.set(`key${n}`, n)))
  await Promise.all(client.nodes('master').map((master) => master.wait(1, 5000)))
  await cluster.nodes[0]!.kill()
  const values = await Promise.all(Array.from({ length: 30 }, (_, n) => client.get(`key${n}`)))
  assert.deepEqual(
    values,
    Array.from({ length: 30 }, (_, n) => `${n}`),
  )
})
