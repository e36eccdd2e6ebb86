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
  /** Pages for each worker that are brought before anything is counted: by then its code is compiled, its caches filled. */
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
  /** Counted: those fetched from when the workers were warm. */
  readonly pages: number
  /** All that each worker has brought: they share as hosts fall to them, which is not evenly. */
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
  readonly fetched: number
  readonly workersMs: number
  readonly orchestratorMs: number
  readonly enginesMs: number
  readonly redis: RedisTraffic
}

const lookEveryMs = 500

/** A crawl of the bench site by so many workers, counted from when all of them are warm until its end. */
export async function measuredCrawl(options: MeasuredCrawlOptions): Promise<MeasuredCrawl> {
  const { workers, pages, hosts, warmUpPages, delay, redisUrl, settings } = options
  await using stack = new AsyncDisposableStack()
  const site = stack.use(await startSite({ hosts, pages: pages + workers * warmUpPages }))
  const scratch = stack.adopt(mkdtempSync(join(tmpdir(), 'orbweaver-fleet-')), (path) =>
    rmSync(path, { recursive: true, force: true }),
  )
  const client = stack.adopt(new Redis(redisUrl), (redis) => redis.disconnect())
  await client.flushall('SYNC')
  const prefix = `bench-${process.pid}-${workers}`
  const monitor = options.byScript ? new RedisMonitor(prefix) : undefined
  if (monitor) stack.use(await monitor.watch(client))
  const config = writeConfig(scratch, redisUrl, prefix, site, settings)
  const profiles = join(options.profiles ?? scratch, `${workers}-workers`)
  mkdirSync(profiles, { recursive: true })

  const orchestrator = stack.use(new Program(['serve', '--config', config, '--listen', '127.0.0.1:0']))
  const profiling = ['--cpu-prof', '--cpu-prof-interval', '2000', `--cpu-prof-dir=${profiles}`]
  const members = Array.from({ length: workers }, () =>
    stack.use(new Program(['worker', '--config', config], profiling)),
  )
  const crawl = stack.use(
    new Program(['crawl', ...site.seeds, '--config', config, '--delay', delay, '--json', '--allow-private']),
  )
  const deaths = [orchestrator, ...members].map((member) => member.untimelyEnd())
  async function reading(): Promise<Reading> {
    const { pages: fetched } = await site.counts()
    const redis = await trafficOf(client)
    const workersMs = sumOf(members.map((member) => member.cpuMs))
    const atUs = Number(process.hrtime.bigint() / 1000n)
    const enginesMs = sumOf(options.engines.map(cpuMsOf))
    return { atUs, fetched, workersMs, orchestratorMs: orchestrator.cpuMs, enginesMs, redis }
  }
  const registry = workerRegistry(client, prefix, systemClock())
  await Promise.race([allWarm(registry, options), crawl.result().then(endedCold), ...deaths])
  const begin = await reading()
  monitor?.reset()
  await Promise.race([crawl.result(), ...deaths])
  const end = await reading()
  const asked = monitor?.ofPage(end.fetched - begin.fetched)
  const { missing, repeats } = await site.counts()
  await Promise.all(members.map((member) => member.leave()))
  const counted = end.fetched - begin.fetched
  const cpuMsOfPage = cpuOfPage(profiles, begin, end)
  const { worker, pages: ofPages, redis, orchestrator: ofOrchestrator, engines } = cpuMsOfPage
  const coordinationMs = rounded(worker - ofPages + redis)
  return {
    ...{
      workers,
      pages: counted,
      pagesOfWorkers: members.map(pagesBy),
      seconds: rounded((end.atUs - begin.atUs) / 1e6),
      missing,
      repeats,
      cpuMsOfPage,
    },
    coordinationMs,
    shareOfWorkersAndRedis: rounded(coordinationMs / (worker + redis)),
    shareOfAll: rounded(coordinationMs / (worker + redis + ofOrchestrator + engines)),
    redis: trafficOfPage(trafficBetween(begin.redis, end.redis), counted),
    ...(asked && { asked }),
  }
}

/** Resolves when every worker is at work, and all together have brought so many pages for each of them. */
async function allWarm(registry: WorkerRegistry, { workers, warmUpPages }: MeasuredCrawlOptions): Promise<void> {
  for (;;) {
    const pages = await pagesOfWorkers(registry)
    if (pages.length === workers && sumOf(pages) >= workers * warmUpPages) return
    await sleep(lookEveryMs)
  }
}

/** Of those that work on the crawl. */
async function pagesOfWorkers(registry: WorkerRegistry): Promise<number[]> {
  return (await registry.list()).filter(({ stats }) => stats.crawls !== '').map(({ stats }) => Number(stats.pages))
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)

/** As a worker says when a crawl ends. */
function pagesBy({ err, out }: Program): number {
  return sumOf([...`${out}${err}`.matchAll(/(\d+) pages by this worker/g)].map(([, pages]) => Number(pages)))
}

function endedCold(): never {
  throw new Error('The crawl ended before all workers were warm: more pages are needed.')
}

/** By profiles in the workers, scaled to all of their CPU time. */
function cpuOfPage(folder: string, begin: Reading, end: Reading): CpuOfPage {
  const profiles = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  const ms = msByPart(profiles, begin.atUs)
  const profiledMs = parts.reduce((sum, part) => sum + ms[part], 0)
  const counted = end.fetched - begin.fetched
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

function writeConfig(
  folder: string,
  redisUrl: string,
  prefix: string,
  { dns }: RemoteSite,
  { engines, ...settings }: { engines?: { opensearch?: object } },
): string {
  const path = join(folder, 'fleet.json')
  const all = {
    engines: { ...engines, redis: { url: redisUrl, prefix }, opensearch: { ...engines?.opensearch, prefix } },
    ...{ dns: { servers: [dns] }, discovery: { usualPlaces: [], softMissing: false } },
    ...settings,
  }
  writeFileSync(path, JSON.stringify(all))
  return path
}

function rounded(value: number): number {
  return Number(value.toFixed(4))
}
