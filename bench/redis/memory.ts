/**
 * What the frontier takes in Redis: bytes for a URL that is known, for one that is queued, and for a host, with many and
 * with few URLs on each host; then what is left when all of them were visited. Starts a Redis of its own.
 *
 *   node bench/redis/memory.ts [--urls 200000] [--json]
 */
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { startRedis } from '../../scripts/engines/redis.ts'
import { systemClock } from '../../src/clock.ts'
import { openShards } from '../../src/engines/redis/shards.ts'
import { RedisFrontier } from '../../src/frontier/adapters/redis/redis-frontier.ts'
import { frontierConfig } from '../../src/frontier/config.ts'
import type { Candidate } from '../../src/frontier/frontier.ts'
import { type CanonicalUrl, type HostKey, loadFingerprint } from '../../src/url/keys.ts'
import { type KindSize, sizesByKind, usedBytes } from './key-sizes.ts'

const { values } = parseArgs({
  options: { urls: { type: 'string', default: '200000' }, json: { type: 'boolean', default: false } },
})
const urls = Number(values.urls)
const urlsOfHost = [1, 20, 1000]
const offeredAtOnce = 500
const leasedHosts = 20
const leasedUrls = 200

await using engine = await startRedis()
using redis = Object.assign(new Redis(engine.url), {
  [Symbol.dispose](this: Redis) {
    this.disconnect()
  },
})
const fingerprint = await loadFingerprint()
// Scripts and the connection belong to the engine, not to the URLs.
await measure(1000, 10)
for (const perHost of urlsOfHost) show(await measure(urls, perHost))

async function measure(count: number, perHost: number) {
  await redis.flushall('SYNC')
  const emptyBytes = await usedBytes(redis)
  await using frontier = openFrontier()
  let urlBytes = 0
  for (let n = 0; n < count; n += offeredAtOnce) {
    const batch = Array.from({ length: Math.min(offeredAtOnce, count - n) }, (_, i) => candidate(n + i, perHost))
    urlBytes += batch.reduce((sum, { url }) => sum + url.length, 0)
    await frontier.offer(batch)
  }
  const queued = { used: (await usedBytes(redis)) - emptyBytes, kinds: await sizesByKind(redis) }
  await visitAll(frontier)
  const { done } = await frontier.counts()
  if (done !== count) throw new Error(`${done} of ${count} URLs are done`)
  const visited = { used: (await usedBytes(redis)) - emptyBytes, kinds: await sizesByKind(redis) }
  return { count, perHost, urlBytes, queued, visited }
}

function openFrontier(): RedisFrontier {
  return new RedisFrontier({
    ...{ client: redis, fingerprint, crawl: 'bench', clock: systemClock(), config: frontierConfig.parse({}) },
    shards: openShards('bench', 64, fingerprint),
    initialPace: () => ({ gapMs: 0, burst: 1, connections: 1, failures: 0 }),
    holdBackMs: 0,
  })
}

function candidate(n: number, perHost: number): Candidate {
  // Hosts are met in turn, as in a crawl of many sites.
  const hosts = Math.ceil(urls / perHost)
  const host = `www.site-${n % hosts}.example` as HostKey
  const url = `https://${host}/section-${n % 97}/an-article-about-something-${n}.html` as CanonicalUrl
  const parent = `https://${host}/section-${n % 97}/` as CanonicalUrl
  return { url, host, band: 'low', depth: 3, parent, redirects: 0 }
}

async function visitAll(frontier: RedisFrontier): Promise<void> {
  for (;;) {
    const { leases } = await frontier.lease(leasedHosts, leasedUrls)
    if (leases.length === 0 && (await frontier.finished())) return
    await Promise.all(
      leases.map(async (lease) => {
        await frontier.settle(
          lease,
          lease.requests.map(({ url }) => ({ url, kind: 'done' })),
        )
        await frontier.release(lease, { touchedMsAgo: null, pace: lease.pace })
      }),
    )
  }
}

function show({ count, perHost, urlBytes, queued, visited }: Awaited<ReturnType<typeof measure>>): void {
  const of = (kinds: readonly KindSize[], ...names: readonly string[]) =>
    kinds.filter(({ kind }) => names.includes(kind)).reduce((sum, { bytes }) => sum + bytes, 0)
  const hosts = Math.ceil(count / perHost)
  const inQueue = of(queued.kinds, 'queue', 'front', 'ready') / count
  const row = {
    urlsOfHost: perHost,
    urlBytes: rounded(urlBytes / count),
    seenBytesOfUrl: rounded(of(queued.kinds, 'seen') / count),
    queuedBytesOfUrl: rounded(inQueue),
    queuedOfLength: rounded(inQueue / (urlBytes / count)),
    hostBytes: rounded(of(queued.kinds, 'hosts', "fleet's hosts") / hosts),
    allBytesOfQueuedUrl: rounded(queued.used / count),
    allBytesOfVisitedUrl: rounded(visited.used / count),
  }
  if (values.json) console.log(JSON.stringify({ ...row, queued: queued.kinds, visited: visited.kinds }))
  else {
    console.log(row)
    console.table(queued.kinds)
  }
}

function rounded(value: number): number {
  return Number(value.toFixed(2))
}
