import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { systemClock } from '../../src/clock.ts'
import { type WorkerRegistry, workerRegistry } from '../../src/fleet/registry/workers.ts'
import { type RemoteSite, startSite } from '../site/remote.ts'
import { msByPart, type Part, parts } from './parts.ts'
import { cpuMsOf, Program } from './processes.ts'
import { type AskedOfPage, RedisMonitor } from './redis-monitor.ts'
import { type RedisTraffic, type TrafficOfPage, trafficBetween, trafficOf, trafficOfPage } from './redis-traffic.ts'

export interface MeasuredCrawlOptions {
  readonly workers: number
  /** To be counted, at least. */
  readonly pages: number
  readonly hosts: number
  /** Pages for each worker of a crawl that goes before: by then its code is compiled. */
  readonly warmUpPages: number
  /** Between two requests to a host, as `crawl --delay` takes it. */
  readonly delay: string
  /** Count by MONITOR which scripts and commands they are. Times are worth nothing then. */
  readonly byScript: boolean
  /** Where CPU profiles of the workers are put, to be looked at. Left out: they are deleted. */
  readonly profiles: string | undefined
  /** A server of the bench's own: what it holds is deleted, what it does is counted. */
  readonly redisUrl: string
  /** Process ids of the other engines, of the bench's own too. */
  readonly engines: readonly number[]
  readonly settings: object
}

/** CPU ms of a page: what workers do, by part, and what others do for them; `engines`: all but Redis. */
export type CpuOfPage = Readonly<Record<Part | 'worker' | 'redis' | 'orchestrator' | 'engines', number>>

export interface MeasuredCrawl {
  readonly workers: number
  readonly pages: number
  /** What each worker has brought: they share as hosts fall to them, which is not evenly. */
  readonly pagesOfWorkers: readonly number[]
  readonly seconds: number
  readonly missing: number
  readonly repeats: number
  readonly cpuMsOfPage: CpuOfPage
  /** All of Redis, and all in the workers that is there because of it: in CPU ms of a page, … */
  readonly coordinationMs: number
  /** … of the CPU time of workers and Redis, … */
  readonly shareOfWorkersAndRedis: number
  /** … and of that of workers, orchestrator and all engines. */
  readonly shareOfAll: number
  readonly redis: TrafficOfPage
  readonly asked?: Readonly<Record<string, AskedOfPage>>
}

/** What everything had used up by a moment. */
interface Reading {
  readonly atUs: number
  readonly workersMs: number
  readonly orchestratorMs: number
  readonly enginesMs: number
  readonly redis: RedisTraffic
}

const lookEveryMs = 500

/**
 * A crawl of the bench site by so many workers that have made a smaller one before, counted from when it is ordered until
 * it has ended. It is counted whole: at any moment between, some hundred pages are fetched and neither read nor kept.
 */
export async function measuredCrawl(options: MeasuredCrawlOptions): Promise<MeasuredCrawl> {
  const { workers, pages, hosts, warmUpPages, redisUrl } = options
  await using stack = new AsyncDisposableStack()
  const scratch = stack.adopt(mkdtempSync(join(tmpdir(), 'orbweaver-fleet-')), (path) =>
    rmSync(path, { recursive: true, force: true }),
  )
  const client = stack.adopt(new Redis(redisUrl), (redis) => redis.disconnect())
  await client.flushall('SYNC')
  const prefix = `bench-${process.pid}-${workers}`
  const monitor = options.byScript ? new RedisMonitor(prefix) : undefined
  if (monitor) stack.use(await monitor.watch(client))
  const profiles = join(options.profiles ?? scratch, `${workers}-workers`)
  mkdirSync(profiles, { recursive: true })
  const site = stack.use(await startSite({ hosts, pages }))
  const order = orderIn(scratch, prefix, options)
  const config = order(site)

  const orchestrator = stack.use(new Program(['serve', '--config', config, '--listen', '127.0.0.1:0']))
  // More samples would cost each worker more than it does itself while it waits.
  const profiling = ['--cpu-prof', '--cpu-prof-interval', '10000', `--cpu-prof-dir=${profiles}`]
  const members = Array.from({ length: workers }, () =>
    stack.use(new Program(['worker', '--config', config], profiling)),
  )
  const deaths = [orchestrator, ...members].map((member) => member.untimelyEnd())
  async function crawl(site: RemoteSite): Promise<void> {
    await using crawl = new Program(crawlOf(site, order(site), options))
    await Promise.race([crawl.result(), ...deaths])
  }
  async function reading(): Promise<Reading> {
    const redis = await trafficOf(client)
    const workersMs = sumOf(members.map((member) => member.cpuMs))
    const atUs = Number(process.hrtime.bigint() / 1000n)
    const enginesMs = sumOf(options.engines.map(cpuMsOf))
    return { atUs, workersMs, orchestratorMs: orchestrator.cpuMs, enginesMs, redis }
  }
  const registry = workerRegistry(client, prefix, systemClock())
  await Promise.race([allFree(registry, workers), ...deaths])
  {
    await using warmUp = await startSite({ hosts, pages: Math.max(hosts, workers * warmUpPages) })
    await crawl(warmUp)
  }
  await Promise.race([allFree(registry, workers), ...deaths])
  const begin = await reading()
  monitor?.reset()
  await crawl(site)
  const end = await reading()
  const { missing, repeats, pages: fetched } = await site.counts()
  const asked = monitor?.ofPage(fetched)
  await Promise.all(members.map((member) => member.leave()))
  const cpuMsOfPage = cpuOfPage(profiles, begin, end, fetched)
  const { worker, pages: ofPages, redis, orchestrator: ofOrchestrator, engines } = cpuMsOfPage
  const coordinationMs = rounded(worker - ofPages + redis)
  return {
    ...{
      workers,
      pages: fetched,
      pagesOfWorkers: members.map(pagesBy),
      seconds: rounded((end.atUs - begin.atUs) / 1e6),
      missing,
      repeats,
      cpuMsOfPage,
    },
    coordinationMs,
    shareOfWorkersAndRedis: rounded(coordinationMs / (worker + redis)),
    shareOfAll: rounded(coordinationMs / (worker + redis + ofOrchestrator + engines)),
    redis: trafficOfPage(trafficBetween(begin.redis, end.redis), fetched),
    ...(asked && { asked }),
  }
}

function crawlOf({ seeds }: RemoteSite, config: string, { delay }: MeasuredCrawlOptions): string[] {
  return ['crawl', ...seeds, '--config', config, '--delay', delay, '--json', '--allow-private']
}

/** Resolves when so many workers are there and have nothing to do. */
async function allFree(registry: WorkerRegistry, workers: number): Promise<void> {
  for (;;) {
    const free = (await registry.list()).filter(({ stats }) => stats.crawls === '')
    if (free.length === workers) return
    await sleep(lookEveryMs)
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)

/** As a worker says when a crawl ends: of the last one. */
function pagesBy({ err, out }: Program): number {
  return Number([...`${out}${err}`.matchAll(/(\d+) pages by this worker/g)].at(-1)?.[1])
}

/** By profiles in the workers, scaled to all of their CPU time. */
function cpuOfPage(folder: string, begin: Reading, end: Reading, counted: number): CpuOfPage {
  const profiles = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  const ms = msByPart(profiles, begin.atUs)
  const profiledMs = parts.reduce((sum, part) => sum + ms[part], 0)
  const workerMs = end.workersMs - begin.workersMs
  const each = (part: Part) => rounded((ms[part] * workerMs) / profiledMs / counted)
  return {
    worker: rounded(workerMs / counted),
    ...{ frontier: each('frontier'), questions: each('questions'), membership: each('membership') },
    ...{ client: each('client'), pages: each('pages') },
    redis: rounded((end.redis.cpuMs - begin.redis.cpuMs) / counted),
    orchestrator: rounded((end.orchestratorMs - begin.orchestratorMs) / counted),
    engines: rounded((end.enginesMs - begin.enginesMs) / counted),
  }
}

/** Writes the settings with which a site is crawled. */
function orderIn(folder: string, prefix: string, { redisUrl, settings }: MeasuredCrawlOptions) {
  const { engines, ...others }: { engines?: { opensearch?: object } } = settings
  return ({ dns, pid }: RemoteSite): string => {
    const path = join(folder, `fleet-${pid}.json`)
    const all = {
      engines: { ...engines, redis: { url: redisUrl, prefix }, opensearch: { ...engines?.opensearch, prefix } },
      ...{ dns: { servers: [dns] }, discovery: { usualPlaces: [], softMissing: false } },
      ...others,
    }
    writeFileSync(path, JSON.stringify(all))
    return path
  }
}

function rounded(value: number): number {
  return Number(value.toFixed(4))
}
