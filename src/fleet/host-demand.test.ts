import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { engineFor } from '../../test/engines.ts'
import { systemClock } from '../clock.ts'
import { redisConfig } from '../engines/redis/config.ts'
import { connectRedis } from '../engines/redis/connect.ts'
import { openShards } from '../engines/redis/shards.ts'
import { RedisFrontier } from '../frontier/adapters/redis/redis-frontier.ts'
import { frontierConfig } from '../frontier/config.ts'
import type { CanonicalUrl, HostKey } from '../url/keys.ts'
import { loadFingerprint } from '../url/keys.ts'
import { hostDemand } from './host-demand.ts'

const engine = engineFor('redis')

test('hosts that are due and untaken wait, those that are leased are held, those that rest are neither', {
  skip: engine.skip ?? false,
}, async () => {
  const client = await connectRedis(redisConfig.parse({ url: engine.url }))
  try {
    const clock = systemClock()
    const fingerprint = await loadFingerprint()
    const shards = openShards(`t${randomBytes(6).toString('hex')}`, 4, fingerprint)
    const initialPace = () => ({ gapMs: 60_000, burst: 1, connections: 1, failures: 0 })
    const config = frontierConfig.parse({})
    const frontier = new RedisFrontier({ client, shards, crawl: 'c', config, clock, fingerprint, initialPace })
    const hosts = Array.from({ length: 10 }, (_, i) => `h${i}.example`)
    // Those with an even number have two URLs, others one.
    const urls = hosts.flatMap((host, i) => (i % 2 ? [`https://${host}/`] : [`https://${host}/`, `https://${host}/2`]))
    const offeredAt = clock.now()
    await frontier.offer(
      urls.map((url) => ({
        ...{ url: url as CanonicalUrl, host: new URL(url).host as HostKey, band: 'low', depth: 0, parent: null },
        redirects: 0,
      })),
    )
    const fleet = { redis: client, shards, clock }
    const soon = await hostDemand(fleet, ['c'], 60_000)
    assert.equal(soon.waitingHosts, 5, 'of those that were known before none has been waiting for long enough')
    await clock.sleep(5)
    const before = await hostDemand(fleet, ['c'], 0)
    assert.deepEqual([before.waitingHosts, before.heldHosts], [10, 0])
    const pastMs = clock.now() - offeredAt
    assert.ok(before.oldestWaitMs >= 4 && before.oldestWaitMs <= pastMs + 1, `${before.oldestWaitMs} of ${pastMs} ms`)
    const { leases } = await frontier.lease(4, 10)
    const after = await hostDemand(fleet, ['c'], 0)
    assert.deepEqual([after.waitingHosts, after.heldHosts], [10 - leases.length, leases.length])
    await frontier.release(leases[0]!, { touchedMsAgo: 0, pace: leases[0]!.pace })
    const rested = await hostDemand(fleet, ['c', 'no-such-crawl'], 0)
    assert.deepEqual([rested.waitingHosts, rested.heldHosts], [10 - leases.length, leases.length - 1])
  } finally {
    client.disconnect()
  }
})
