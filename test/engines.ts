import type { TestContext } from 'node:test'
import { EngineMissing } from '../scripts/engines/engine-missing.ts'
import { type EngineName, engineTitles, missingVariable } from '../scripts/engines/names.ts'
import type { RunningCluster } from '../scripts/engines/redis-cluster.ts'

export { startKafka } from '../scripts/engines/kafka.ts'
export { startOpenSearch } from '../scripts/engines/opensearch.ts'
export { startRedis } from '../scripts/engines/redis.ts'
export type { RunningEngine } from '../scripts/engines/running-engine.ts'
export { startS3 } from '../scripts/engines/s3.ts'
export type { RunningCluster }

/** Where an engine is, or why a test that needs it is skipped: `test('…', { skip: engine.skip ?? false }, …)`. */
export type EngineForTests =
  | { readonly url: string; readonly skip?: never }
  | { readonly skip: string; readonly url?: never }

/**
 * The engine that `npm test`, or whoever set the environment, has started. All tests share it, at the same time: use
 * names (prefixes, buckets, topics, indexes) made by chance, and leave it running. A test that kills or restarts an
 * engine starts one of its own.
 */
export function engineFor(name: EngineName, environment: NodeJS.ProcessEnv = process.env): EngineForTests {
  const { title, variable } = engineTitles[name]
  const url = environment[variable]
  if (url) return { url }
  const missing = environment[missingVariable(name)]
  return { skip: missing || `${title}: ${variable} is not set (npm test starts engines, and so does npm run engines)` }
}

/** Its client is loaded only by those who want a cluster of their own. */
export async function startRedisCluster(): Promise<RunningCluster> {
  return (await import('../scripts/engines/redis-cluster.ts')).startRedisCluster()
}

/**
 * An engine of the test's own: `await using redis = await ownEngine(t, () => startRedis({ appendOnly: true }))`. Where
 * it cannot be had the test counts as skipped, with the reason, and gets undefined.
 */
export async function ownEngine<T>(test: TestContext, start: () => Promise<T>): Promise<T | undefined> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof EngineMissing)) throw error
    test.skip(error.message)
    return undefined
  }
}
