import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import { ownEngine, startRedisCluster } from '../../../../test/engines.ts'
import { slotOf } from '../../../engines/redis/slot.ts'
import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import type { Candidate, HostLease } from '../../frontier.ts'
import { audit } from './audit.fixture.ts'
import { RedisFrontier, type RedisFrontierOptions } from './redis-frontier.ts'
import { connectForTest, testFleet } from './test-redis-frontier.ts'

const pages = (hosts: number, each: number, from = 0) =>
  Array.from({ length: hosts * each }, (_, n): Candidate => {
    const host = `host-${n % hosts}.test` as HostKey
    const url = `https://${host}/${from + Math.floor(n / hosts)}` as CanonicalUrl
    return { url, host, band: 'medium', depth: 0, parent: null, redirects: 0 }
  })

/** Moves the slot of a shard to another master, key by key, as resharding does. */
async function moveShard({ shards, crawl }: RedisFrontierOptions, client: Cluster, shard: number): Promise<void> {
  const slot = slotOf(shards.crawlKey(shard, crawl, ''))
  const [from, to] = mastersFor(client, slot)
  const [fromId, toId] = (await Promise.all([from.cluster('MYID'), to.cluster('MYID')])) as [string, string]
  await to.cluster('SETSLOT', slot, 'IMPORTING', fromId)
  await from.cluster('SETSLOT', slot, 'MIGRATING', toId)
  for (let keys = await keysIn(from, slot); keys.length > 0; keys = await keysIn(from, slot))
    for (const key of keys) {
      await from.migrate('127.0.0.1', `${to.options.port}`, key, 0, 1000)
      await sleep(1)
    }
  for (const node of [to, from]) await node.cluster('SETSLOT', slot, 'NODE', toId)
  for (const node of client.nodes('master')) await node.cluster('SETSLOT', slot, 'NODE', toId)
}

function mastersFor(client: Cluster, slot: number): [Redis, Redis] {
  const owner = client.slots[slot]![0]
  const masters = client.nodes('master')
  const isOwner = ({ options }: Redis) => `${options.host}:${options.port}` === owner
  return [masters.find(isOwner)!, masters.find((node) => !isOwner(node))!]
}

const keysIn = async (node: Redis, slot: number) => (await node.cluster('GETKEYSINSLOT', slot, 100)) as string[]

test('a Cluster that moves a slot, and loses a master, loses no URL and does nothing half', async (t) => {
  await using cluster = await ownEngine(t, startRedisCluster)
  if (!cluster) return
  const client = (await connectForTest(cluster.url)) as Cluster
  const { options, time } = await testFleet(client, 4)
  const frontier = new RedisFrontier({ ...options, recentUrls: 0 })
  const finish = async (lease: HostLease) => {
    await frontier.settle(
      lease,
      lease.requests.map(({ url }) => ({ url, kind: 'done' })),
    )
    await frontier.release(lease, { touchedMsAgo: 0, pace: lease.pace })
  }
  try {
    await t.test('while a slot moves, key by key, scripts are repeated until they can do all or nothing', async () => {
      await frontier.offer(pages(20, 5))
      const moving = moveShard(options, client, 2)
      for (let n = 0; n < 5; n++) {
        const answers = await frontier.offer(pages(20, 5, 5 + 5 * n))
        assert.ok(answers.every((answer) => answer === 'admitted'))
      }
      await moving
      await frontier.offer(pages(20, 5, 30))
      assert.equal((await frontier.counts()).admitted, 700)
      await audit(options)
    })

    await t.test('leases go on where the slot lies now, once those that another process gave have ended', async () => {
      const isMoved = ({ host }: { host: HostKey }) => options.shards.of(host) === 2
      const first = (await frontier.lease(20, 3)).leases
      assert.ok(first.length > 0 && !first.some(isMoved))
      for (const lease of first) await finish(lease)
      time.now += options.config.leaseMs + 1000
      const later = (await frontier.lease(20, 3)).leases
      assert.ok(later.some(isMoved))
      for (const lease of later) await finish(lease)
      await audit(options)
    })

    await t.test('when a master dies its replica goes on, and grants no lease for a while', async () => {
      const slot = slotOf(options.shards.crawlKey(1, options.crawl, ''))
      const port = Number(client.slots[slot]![0]!.split(':')[1])
      const master = cluster.nodes.find(({ url }) => new URL(url).port === `${port}`)!
      await master.kill()
      const offered = pages(20, 5, 35)
      const answers = await frontier.offer(offered)
      assert.ok(answers.every((answer) => answer === 'admitted' || answer === 'known'))
      const held = (await frontier.lease(20, 1)).leases
      assert.ok(held.every(({ host }) => options.shards.of(host) !== 1))
      time.now += options.config.leaseMs + 1000
      const later = (await frontier.lease(20, 1)).leases
      assert.ok(later.some(({ host }) => options.shards.of(host) === 1))
      await audit(options)
    })

    await t.test('what the dead master had not handed on is admitted when it is offered again', async () => {
      const all = pages(20, 40)
      await new RedisFrontier({ ...options, recentUrls: 0 }).offer(all)
      assert.equal((await frontier.counts()).admitted, all.length)
      await audit(options)
    })
  } finally {
    client.disconnect()
  }
})
