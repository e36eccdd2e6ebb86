/**
 * What coordination costs a fleet: crawls the bench site by 1, 2, 4 and 8 workers on one Redis, and prints for each page
 * the operations and round trips of Redis, its CPU time, and that of the workers: coordination, questions about copies
 * and robots.txt, the rest (by CPU profiles of the workers). Fails when pages are missing or were fetched twice.
 *
 *   node bench/fleet/run.ts [--pages 2000] [--hosts 40] [--workers 1,2,4,8] [--json]
 *
 * Engines are those that the environment names (ORBWEAVER_TEST_REDIS_URL, …), or are started; Redis is always its own, so
 * that its counts are.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { startRedis } from '../../scripts/engines/redis.ts'
import { type Start, startEngines, stopEngines } from '../../scripts/engines/start-engines.ts'
import { startSite } from '../site/remote.ts'
import { cpuByPart, type Part } from './cpu-profile.ts'
import { Program } from './processes.ts'
import { trafficBetween, trafficOf, trafficOfPage } from './redis-traffic.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '2000' },
    hosts: { type: 'string', default: '40' },
    workers: { type: 'string', default: '1,2,4,8' },
    json: { type: 'boolean', default: false },
  },
})
const pages = Number(values.pages)

const others = await startEngines(['opensearch'], (line) => console.error(line))
try {
  await using redis = await startRedis({}, (line) => console.error(line))
  for (const workers of values.workers.split(',').map(Number)) {
    const row = await crawlBy(workers, redis.url)
    console.log(values.json ? JSON.stringify(row) : row)
    if (row.pages !== pages || row.repeats > 0) process.exitCode = 1
  }
} finally {
  await stopEngines(others)
}

async function crawlBy(workers: number, redisUrl: string) {
  await using site = await startSite({ hosts: Number(values.hosts), pages })
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-fleet-'))
  const client = new Redis(redisUrl)
  try {
    await client.flushall('SYNC')
    const config = writeConfig(scratch, redisUrl, workers, site)
    const profiles = join(scratch, 'profiles')
    mkdirSync(profiles)
    await using stack = new AsyncDisposableStack()
    const orchestrator = stack.use(new Program(['serve', '--config', config]))
    const members = Array.from({ length: workers }, () =>
      stack.use(new Program(['worker', '--config', config], ['--cpu-prof', `--cpu-prof-dir=${profiles}`])),
    )
    const before = await trafficOf(client)
    const crawl = stack.use(
      new Program(['crawl', ...site.seeds, '--config', config, '--delay', '0', '--json', '--allow-private']),
    )
    const deaths = [orchestrator, ...members].map((member) => member.untimelyEnd())
    const lines = (await Promise.race([crawl.result(), ...deaths])).trim().split('\n')
    const summary = JSON.parse(lines.at(-1)!)
    const traffic = trafficBetween(before, await trafficOf(client))
    const cpuMs = members.reduce((sum, member) => sum + member.cpuMs, 0)
    for (const member of members) await member.leave()
    const { repeats } = await site.counts()
    return {
      ...{ workers, pages: summary.pages as number, repeats, durationMs: summary.durationMs },
      workerCpuMsOfPage: rounded(cpuMs / pages),
      cpuMsOfPage: cpuOfPage(profiles, cpuMs),
      redis: trafficOfPage(traffic, pages),
    }
  } finally {
    client.disconnect()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** CPU ms of a page: by profiles in the workers, scaled to all their CPU time. What the client does alone goes by halves. */
function cpuOfPage(folder: string, workersMs: number): Record<string, number> {
  const profiles = readdirSync(folder).map((name) => cpuByPart(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  const sum = (part: Part) => profiles.reduce((all, one) => all + one[part], 0)
  const [coordination, shared, client, rest] = (['coordination', 'shared', 'client', 'rest'] as const).map(sum)
  const scale = workersMs / (coordination! + shared! + client! + rest!) / pages
  const each = (ms: number) => rounded(ms * scale)
  return {
    coordination: each(coordination! + client! / 2),
    dedupAndRobots: each(shared! + client! / 2),
    rest: each(rest!),
  }
}

function writeConfig(scratch: string, redisUrl: string, workers: number, site: { readonly dns: string }): string {
  const path = join(scratch, 'fleet.json')
  const prefix = `bench-${process.pid}-${workers}`
  const engines = {
    redis: { url: redisUrl, prefix },
    opensearch: { urls: [urlOf(others, 'opensearch')], prefix },
  }
  const settings = {
    ...{ engines, dns: { servers: [site.dns] }, store: { archive: false }, worker: { threads: 0 } },
    discovery: { usualPlaces: [], softMissing: false },
  }
  writeFileSync(path, JSON.stringify(settings))
  return path
}

function urlOf(starts: readonly Start[], name: string): string {
  const start = starts.find((one) => one.name === name)
  if (!start || start.kind === 'missing') throw new Error(start?.reason ?? `${name} was not started`)
  return start.url
}

function rounded(value: number): number {
  return Number(value.toFixed(4))
}
