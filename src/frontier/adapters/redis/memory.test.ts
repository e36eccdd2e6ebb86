import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Redis } from 'ioredis'
import { ownEngine, startRedis } from '../../../../test/engines.ts'
import type { Candidate } from '../../frontier.ts'
import { likelyHost, likelyPage, memoryByKind } from './memory.fixture.ts'
import { RedisFrontier } from './redis-frontier.ts'
import { connectForTest, testFleet } from './test-redis-frontier.ts'

async function kept(t: import('node:test').TestContext, candidates: readonly Candidate[]) {
  await using own = await ownEngine(t, () => startRedis())
  if (!own) return undefined
  const client = (await connectForTest(own.url)) as Redis
  try {
    const { options } = await testFleet(client, 4, 'orbweaver')
    const frontier = new RedisFrontier(options)
    for (let n = 0; n < candidates.length; n += 1000) await frontier.offer(candidates.slice(n, n + 1000))
    const bytes = await memoryByKind(client)
    const all = [...bytes.values()].reduce((sum, of) => sum + of, 0)
    const seen = bytes.get('seen')!
    t.diagnostic(
      `bytes a URL: ${[...bytes].map(([kind, of]) => `${kind} ${(of / candidates.length).toFixed(1)}`).join(', ')}`,
    )
    return { seen, rest: all - seen }
  } finally {
    client.disconnect()
  }
}

test('a seen URL takes at most 12 bytes, a queued one at most 1.3 times its length', async (t) => {
  const candidates = Array.from({ length: 1000 }, (_, n) => likelyHost(n)).flatMap((host) =>
    Array.from({ length: 20 }, (_, n) => likelyPage(host, n)),
  )
  const bytes = await kept(t, candidates)
  if (!bytes) return
  const length = candidates.reduce((sum, { url }) => sum + url.length, 0)
  t.diagnostic(
    `${(length / candidates.length).toFixed(0)} characters a URL, ${(bytes.rest / length).toFixed(2)} times that`,
  )
  assert.ok(bytes.seen <= 12 * candidates.length)
  assert.ok(bytes.rest <= 1.3 * length)
})

test('a host with one URL takes little more than that URL', async (t) => {
  const candidates = Array.from({ length: 10_000 }, (_, n) => likelyPage(likelyHost(n), n))
  const bytes = await kept(t, candidates)
  if (!bytes) return
  t.diagnostic(`${(bytes.rest / candidates.length).toFixed(0)} bytes a host`)
  assert.ok(bytes.rest <= 200 * candidates.length)
})
