import type { Report } from './cache.ts'
import { EngineMissing } from './engine-missing.ts'
import { startKafka } from './kafka.ts'
import type { EngineName } from './names.ts'
import { startOpenSearch } from './opensearch.ts'
import { startRedis } from './redis.ts'
import { startRedisCluster } from './redis-cluster.ts'
import { startS3 } from './s3.ts'

export interface StartedEngine extends AsyncDisposable {
  readonly url: string
  stop(): Promise<void>
}

/** What became of an engine: where it is, or the sentence that says why it is not. */
export type Start = { readonly name: EngineName } & (
  | { readonly engine: StartedEngine; readonly missing?: never }
  | { readonly missing: string; readonly engine?: never }
)

const starters: Readonly<Record<EngineName, (report: Report) => Promise<StartedEngine>>> = {
  redis: (report) => startRedis({}, report),
  'redis-cluster': startRedisCluster,
  kafka: (report) => startKafka({}, report),
  s3: (report) => startS3({}, report),
  opensearch: (report) => startOpenSearch({}, report),
}

/** Starts them side by side. One that cannot be had does not keep the others from starting. */
export function startEngines(names: readonly EngineName[], report: Report): Promise<Start[]> {
  return Promise.all(names.map((name) => startOne(name, report)))
}

async function startOne(name: EngineName, report: Report): Promise<Start> {
  try {
    return { name, engine: await starters[name](report) }
  } catch (error) {
    if (error instanceof EngineMissing) return { name, missing: error.message }
    throw error
  }
}
