import type { Redis } from 'ioredis'
import { likelyHost, likelyPage, memoryByKind } from '../../src/frontier/adapters/redis/memory.fixture.ts'
import { RedisFrontier } from '../../src/frontier/adapters/redis/redis-frontier.ts'
import { connectForTest, testFleet } from '../../src/frontier/adapters/redis/test-redis-frontier.ts'
import type { Candidate, HostLease } from '../../src/frontier/frontier.ts'
import { startRedis } from '../../test/engines.ts'

/**
 * What a page costs the frontier in Redis: CPU of the engine and of the worker, trips, how long scripts take, and memory.
 * `node bench/redis/frontier.ts [URLs]`. It starts an engine of its own.
 */
const urls = Number(process.argv[2] ?? 50_000)
const linksOfAPage = 20
const leasesAtOnce = 50

await using engine = await startRedis({ appendOnly: false })
const client = (await connectForTest(engine.url)) as Redis
await client.config('SET', 'slowlog-log-slower-than', 2000)
await client.config('RESETSTAT')
const { options, time } = await testFleet(client, 64, 'orbweaver')
const frontier = new RedisFrontier(options)

interface Stage {
  readonly engineMs: number
  readonly workerMs: number
  readonly trips: number
  readonly calls: number
}

async function measured(name: string, items: number, work: () => Promise<void>): Promise<void> {
  const before = await reading()
  await work()
  const after = await reading()
  const each = (of: (stage: Stage) => number) => (1000 * (of(after) - of(before))) / items
  console.log(
    `${name.padEnd(34)} engine ${each((of) => of.engineMs).toFixed(1)} µs, worker ${each((of) => of.workerMs).toFixed(1)} µs,` +
      ` trips ${((after.trips - before.trips) / items).toFixed(4)}, scripts ${((after.calls - before.calls) / items).toFixed(3)}`,
  )
}

async function reading(): Promise<Stage> {
  const info = await client.info('cpu')
  const cpu = (name: string) => 1000 * Number(new RegExp(`${name}:([\\d.]+)`).exec(info)![1])
  const { user, system } = process.cpuUsage()
  const engineMs = cpu('used_cpu_user') + cpu('used_cpu_sys')
  return { engineMs, workerMs: (user + system) / 1000, ...frontier.traffic }
}

const hosts = Math.ceil(urls / 50)
const candidates = Array.from({ length: urls }, (_, n) => likelyPage(likelyHost(n % hosts), n))
const pagesOfLinks = Array.from({ length: Math.ceil(urls / linksOfAPage) }, (_, n) =>
  candidates.slice(n * linksOfAPage, (n + 1) * linksOfAPage),
)

async function offerPages(to: RedisFrontier, pages: readonly (readonly Candidate[])[]): Promise<void> {
  for (let n = 0; n < pages.length; n += 32) await Promise.all(pages.slice(n, n + 32).map((page) => to.offer(page)))
}

await measured('a new URL offered', urls, () => offerPages(frontier, pagesOfLinks))
await measured('a known URL, confirmed lately', urls, () => offerPages(frontier, pagesOfLinks))
const forgetful = new RedisFrontier({ ...options, recentUrls: 0 })
await offerPages(forgetful, pagesOfLinks)
await measured('a known URL, perhaps seen', urls, () => offerPages(forgetful, pagesOfLinks))
await measured('a known URL, never heard of', urls, () => offerPages(new RedisFrontier(options), pagesOfLinks))

for (const batch of [1, 5, 20]) {
  const pages = Math.min(urls / 5, 1000 * batch)
  await measured(`a page leased and settled by ${batch}`, pages, () => visit(pages, batch))
}

async function visit(pages: number, batch: number): Promise<void> {
  for (let done = 0; done < pages; ) {
    const { leases } = await frontier.lease(leasesAtOnce, batch)
    await Promise.all(leases.map(finish))
    done += leases.reduce((sum, { requests }) => sum + requests.length, 0)
    time.now += leases.length === 0 ? 1000 : 20
  }
}

async function finish(lease: HostLease): Promise<void> {
  await Promise.all(
    lease.requests.map(({ url }) => frontier.settle(lease, [{ url, kind: 'done', adds: { pages: 1, bytes: 1000 } }])),
  )
  await frontier.release(lease, { touchedMsAgo: 0, pace: lease.pace })
}

const { admitted } = await frontier.counts()
const bytes = await memoryByKind(client)
console.log(`memory: ${[...bytes].map(([kind, of]) => `${kind} ${(of / admitted).toFixed(1)}`).join(', ')} bytes a URL`)
const latency = await client.info('latencystats')
console.log(
  `scripts: ${/evalsha:(.*)/.exec(latency)?.[1] ?? 'unknown'} (µs); over 2 ms: ${await client.slowlog('LEN')}`,
)
client.disconnect()
