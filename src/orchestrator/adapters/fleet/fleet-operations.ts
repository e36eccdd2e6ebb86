import type { Config } from '../../../config/schema.ts'
import { checkVersion } from '../../../engines/opensearch/connect.ts'
import type { Fleet } from '../../../fleet/fleet.ts'
import { registryKeys } from '../../../fleet/registry/keys.ts'
import type { WorkerEntry } from '../../../fleet/registry/workers.ts'
import { openSharedHostSettings } from '../../../fleet/shared/host-settings.ts'
import type { Check } from '../../../server/api/schemas/health.ts'
import type { AuditEntry } from '../../../server/api/schemas/session.ts'
import { type Audit, localAudit } from '../../../server/audit.ts'
import type { Operations, WorkerCounters } from '../../operations.ts'
import { fleetDesk } from './fleet-desk.ts'

/** Over the crawls and workers of a fleet. */
export async function fleetOperations(fleet: Fleet, log: (line: string) => void): Promise<Operations> {
  const { redis: client, clock, engines } = fleet
  await using stack = new AsyncDisposableStack()
  const hosts = stack.use(
    await openSharedHostSettings({
      ...{ client, clock, prefix: engines.redis.prefix },
      fail: (error) => log(`Host settings: ${(error as Error).message}`),
    }),
  )
  const desk = stack.use(fleetDesk(fleet, log))
  const opened = stack.move()
  return {
    kind: 'fleet',
    crawls: desk,
    hosts,
    async counters() {
      const [crawls, workers] = await Promise.all([desk.counters(), fleet.workers.list()])
      const counted = workers.map(countersOf)
      const openHosts = (id: string) =>
        counted.reduce((sum, worker) => sum + (worker.alive && worker.crawls.includes(id) ? worker.openHosts : 0), 0)
      return { crawls: crawls.map((crawl) => ({ ...crawl, openHosts: openHosts(crawl.id) })), workers: counted }
    },
    checks: () => checksOf(fleet),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function countersOf({ stats, ...card }: WorkerEntry): WorkerCounters {
  const { id, host, pid, region, role, version, startedAt, silentMs, alive } = card
  const told = (name: string) => Number(stats[name] ?? 0)
  const number = (name: string) => (stats[name] === undefined ? null : Number(stats[name]))
  return {
    ...{ id, host, pid, region, role, version, startedAt, silentMs, alive },
    crawls: String(stats.crawls ?? '')
      .split(',')
      .filter((name) => name !== ''),
    openHosts: number('openHosts') ?? 0,
    pages: number('pages') ?? 0,
    cpuMs: number('cpuMs'),
    rssBytes: number('rssBytes'),
    receivedBytes: number('bytes'),
    storageLagMs: number('storageLagMs'),
    outcomes: { page: told('pages'), redirect: told('redirects'), other: told('others'), failed: told('failures') },
    errors: Object.fromEntries(
      Object.keys(stats).flatMap((name) => (name.startsWith('errors.') ? [[name.slice(7), told(name)]] : [])),
    ),
  }
}

const patienceMs = 3000

/** Each engine is asked something small, and has three seconds. */
async function checksOf({ redis, opensearch, engines }: Fleet): Promise<readonly Check[]> {
  return Promise.all([
    checked('redis', async () => `answers ${await redis.ping()}`),
    checked('opensearch', async () => `${await checkVersion(opensearch)} at ${opensearch.place}`),
    ...(engines.s3.bucket === '' ? [checked('s3', async () => 'not used: crawls keep no archive')] : []),
  ])
}

async function checked(what: string, ask: () => Promise<string>): Promise<Check> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${patienceMs / 1000} s`)), patienceMs)
  try {
    const says = await Promise.race([ask(), aborted(late.signal)])
    return { what, ok: true, says }
  } catch (error) {
    return { what, ok: false, says: (error as Error).message }
  } finally {
    clearTimeout(timer)
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

const keptEntries = 10_000

/** Actions in Redis, for all servers of the fleet, and in the file of this one. */
export function fleetAudit({ redis, engines }: Fleet, config: Config): Audit {
  const { audit: key } = registryKeys(engines.redis.prefix)
  const here = localAudit(config.server.auditFile)
  return {
    async add(entry) {
      await here.add(entry)
      await redis.lpush(key, JSON.stringify(entry))
      await redis.ltrim(key, 0, keptEntries - 1)
    },
    async latest(limit) {
      return (await redis.lrange(key, 0, limit - 1)).map((text) => JSON.parse(text) as AuditEntry)
    },
  }
}
