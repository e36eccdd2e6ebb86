/**
 * What a page costs the Redis behind a frontier: workers (frontiers in this process) lease hosts, offer the links of each
 * page, of which 8 of 10 are known, and settle it, until all is done. Prints operations, round trips and CPU time for
 * each page, of Redis and of the workers' side, by 1 to 8 workers. Starts a Redis of its own.
 *
 *   node bench/redis/traffic.ts [--pages 20000] [--hosts 400] [--workers 1,2,4,8] [--json]
 */
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { startRedis } from '../../scripts/engines/redis.ts'
import { systemClock } from '../../src/clock.ts'
import { openShards } from '../../src/engines/redis/shards.ts'
import { RedisFrontier } from '../../src/frontier/adapters/redis/redis-frontier.ts'
import { frontierConfig } from '../../src/frontier/config.ts'
import type { Candidate, HostLease } from '../../src/frontier/frontier.ts'
import { type CanonicalUrl, type HostKey, loadFingerprint } from '../../src/url/keys.ts'
import { trafficBetween, trafficOf, trafficOfPage } from '../fleet/redis-traffic.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '20000' },
    hosts: { type: 'string', default: '400' },
    workers: { type: 'string', default: '1,2,4,8' },
    json: { type: 'boolean', default: false },
  },
})
const pages = Number(values.pages)
const hosts = Number(values.hosts)
const linksOfPage = 10
const newLinksOfPage = 2
const leasedHosts = 20
const leasedUrls = 20

await using engine = await startRedis()
const fingerprint = await loadFingerprint()
for (const workers of values.workers.split(',').map(Number)) {
  const row = await crawlBy(workers)
  console.log(values.json ? JSON.stringify(row) : row)
}

async function crawlBy(workers: number) {
  const observer = new Redis(engine.url)
  const clients = Array.from({ length: workers }, () => new Redis(engine.url))
  try {
    await observer.flushall('SYNC')
    const frontiers = clients.map(openFrontier)
    await frontiers[0]!.offer(Array.from({ length: hosts }, (_, n) => candidate(n, null)))
    const before = await trafficOf(observer)
    const cpuBefore = process.cpuUsage()
    await Promise.all(frontiers.map(work))
    const cpu = process.cpuUsage(cpuBefore)
    const traffic = trafficBetween(before, await trafficOf(observer))
    const { done, admitted } = await frontiers[0]!.counts()
    if (done !== pages || admitted !== pages) throw new Error(`${done} of ${admitted} admitted are done, not ${pages}`)
    const workerCpuMs = Number(((cpu.user + cpu.system) / 1000 / pages).toFixed(4))
    return { workers, pages, workerCpuMs, ...trafficOfPage(traffic, pages) }
  } finally {
    for (const client of [observer, ...clients]) client.disconnect()
  }
}

function openFrontier(client: Redis): RedisFrontier {
  return new RedisFrontier({
    ...{ client, fingerprint, crawl: 'bench', clock: systemClock(), config: frontierConfig.parse({}) },
    shards: openShards('bench', 64, fingerprint),
    initialPace: () => ({ gapMs: 0, burst: 1, connections: 1, failures: 0 }),
    holdBackMs: 0,
  })
}

async function work(frontier: RedisFrontier): Promise<void> {
  for (;;) {
    const { leases } = await frontier.lease(leasedHosts, leasedUrls)
    if (leases.length === 0 && (await frontier.finished())) return
    await Promise.all(leases.map((lease) => visit(frontier, lease)))
  }
}

/** The pages of a second or two are made safe and settled together, as in a fleet. */
async function visit(frontier: RedisFrontier, lease: HostLease): Promise<void> {
  await frontier.offer(lease.requests.flatMap(({ url }) => linksOf(url)))
  await frontier.settle(
    lease,
    lease.requests.map(({ url }) => ({ url, kind: 'done', adds: { pages: 1, bytes: 20_000 } })),
  )
  await frontier.release(lease, { touchedMsAgo: 0, pace: lease.pace })
}

/** Every page leads to the two that follow from it, as in a heap, and to the menu of its host. */
function linksOf(url: CanonicalUrl): Candidate[] {
  const n = Number(/-(\d+)\.html$/.exec(url)?.[1])
  const next = Array.from({ length: newLinksOfPage }, (_, i) => hosts + n * newLinksOfPage + i)
  const menu = Array.from({ length: linksOfPage - newLinksOfPage }, (_, i) => (n % hosts) + i * hosts)
  return [...next, ...menu].filter((one) => one < pages).map((one) => candidate(one, url))
}

function candidate(n: number, parent: CanonicalUrl | null): Candidate {
  const host = `www.site-${n % hosts}.example` as HostKey
  const url = `https://${host}/section-${n % 97}/an-article-about-something-${n}.html` as CanonicalUrl
  return { url, host, band: 'low', depth: 3, parent, redirects: 0 }
}
