import type { Report } from './cache.ts'
import { EngineMissing } from './engine-missing.ts'
import { startKafka } from './kafka.ts'
import { type EngineName, engineTitles } from './names.ts'
import { startOpenSearch } from './opensearch.ts'
import { startRedis } from './redis.ts'
import { startRedisCluster } from './redis-cluster.ts'
import { startS3 } from './s3.ts'

/** Exists in the S3 that is started here, so that a crawl can use it at once. */
export const bucket = 'orbweaver'

/** What became of an engine: where it is (started here, or given by the environment), or why it is missing. */
export type Start =
  | { readonly name: EngineName; readonly kind: 'started'; readonly url: string; stop(): Promise<void> }
  | { readonly name: EngineName; readonly kind: 'given'; readonly url: string }
  | { readonly name: EngineName; readonly kind: 'missing'; readonly reason: string }

/** Whoever waits longer wants to know that something has come of it. */
const worthTellingSeconds = 5

interface Stoppable {
  readonly url: string
  stop(): Promise<void>
}

/** What docs/fleet.md asks of a Redis, and `doctor` looks for. */
const asFleetsWantIt = ['--appendonly', 'yes', '--appendfsync', 'everysec']

const starters: Readonly<Record<EngineName, (report: Report) => Promise<Stoppable>>> = {
  redis: (report) => startRedis({ settings: asFleetsWantIt }, report),
  'redis-cluster': startRedisCluster,
  kafka: (report) => startKafka({}, report),
  s3: (report) => startS3({ buckets: [bucket] }, report),
  opensearch: (report) => startOpenSearch({}, report),
}

/** Starts them side by side. One that cannot be had does not keep the others from starting. */
export function startEngines(
  names: readonly EngineName[],
  report: Report,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Start[]> {
  return Promise.all(names.map((name) => startOne(name, report, environment[engineTitles[name].variable])))
}

async function startOne(name: EngineName, report: Report, given: string | undefined): Promise<Start> {
  if (given) return { name, kind: 'given', url: given }
  const begun = performance.now()
  try {
    const { url, stop } = await starters[name](report)
    const seconds = (performance.now() - begun) / 1000
    if (seconds > worthTellingSeconds) report(`${engineTitles[name].title}: up after ${seconds.toFixed(0)} s`)
    return { name, kind: 'started', url, stop }
  } catch (error) {
    if (error instanceof EngineMissing) return { name, kind: 'missing', reason: error.message }
    throw error
  }
}

export async function stopEngines(starts: readonly Start[]): Promise<void> {
  await Promise.all(starts.map((start) => (start.kind === 'started' ? start.stop() : undefined)))
}
