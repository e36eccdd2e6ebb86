import { stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { scratchFolder } from '../crawl/crawl-of-web.ts'
import { type RunningEngine, startRedis } from '../engines.ts'
import { type HttpFault, s3InternalError, s3SlowDown, searchIsFull, type UnwellAnswer } from './faults/http-fault.ts'
import { HttpProxy } from './faults/http-proxy.ts'
import { NetworkProxy } from './faults/network-proxy.ts'
import { type EngineSettings, sharedEngines, withRedis } from './fleet-of-web.ts'

/** What befalls the engines of a fleet. Each resolves when it is over. */
export type EngineFault = keyof ReturnType<typeof faultsOf>

const redisPausedMs = 10_000
const redisAwayMs = 3000
const unwellMs = 6000
/** With AOF every second, as people run it, a power cut takes back about so much. */
const forgottenMs = 1000

/** A Redis of one's own, and proxies before it and before the S3 and the OpenSearch that all tests share. */
export class FaultyEngines implements AsyncDisposable {
  readonly settings: EngineSettings
  readonly faults: ReturnType<typeof faultsOf>
  readonly #stack: AsyncDisposableStack

  private constructor(settings: EngineSettings, parts: Parts, stack: AsyncDisposableStack) {
    this.settings = settings
    this.faults = faultsOf(parts)
    this.#stack = stack
  }

  static async start(seed: number): Promise<FaultyEngines> {
    await using stack = new AsyncDisposableStack()
    const { path: folder } = stack.use(scratchFolder())
    const redis = stack.use(
      await startRedis({ folder, settings: ['--appendonly', 'yes', '--appendfsync', 'everysec'] }),
    )
    const toRedis = stack.use(await NetworkProxy.start({ target: redis.url.replace('redis://', ''), seed }))
    const shared = sharedEngines(withRedis)
    const s3 = new URL(shared['engines.s3.endpoint'] as string)
    const toS3 = stack.use(await HttpProxy.start({ target: s3.origin, seed }))
    const search = new URL((shared['engines.opensearch.urls'] as string[])[0]!)
    const searchNetwork = stack.use(await NetworkProxy.start({ target: search.host, seed }))
    const toSearch = stack.use(await HttpProxy.start({ target: `http://${searchNetwork.address}`, seed }))
    const settings = {
      ...shared,
      'engines.redis.url': `redis://${toRedis.address}`,
      'engines.s3.endpoint': toS3.url.replace('http://', `http://${s3.username}:${s3.password}@`),
      'engines.opensearch.urls': [toSearch.url],
    }
    const parts = { redis, folder, toRedis, toS3, toSearch, searchNetwork }
    return new FaultyEngines(settings, parts, stack.move())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync()
  }
}

interface Parts {
  readonly redis: RunningEngine
  /** Of its data. */
  readonly folder: string
  readonly toRedis: NetworkProxy
  readonly toS3: HttpProxy
  readonly toSearch: HttpProxy
  readonly searchNetwork: NetworkProxy
}

function faultsOf({ redis, folder, toRedis, toS3, toSearch, searchNetwork }: Parts) {
  const network = (proxy: NetworkProxy, fault: Parameters<NetworkProxy['set']>[0], ms: number) => async () => {
    proxy.set(fault)
    await sleep(ms)
    proxy.set({ kind: 'pass' })
  }
  const unwell = (proxy: HttpProxy, answer: UnwellAnswer, share: number) => async () => {
    proxy.set({ kind: 'answer', answer, share } satisfies HttpFault)
    await sleep(unwellMs)
    proxy.set({ kind: 'pass' })
  }
  return {
    'redis is restarted': () => redis.restart(),
    'redis is killed': async () => {
      await redis.kill()
      await sleep(redisAwayMs)
      await redis.restart()
    },
    'redis is killed and forgets a second': async () => {
      const log = join(folder, 'appendonlydir', 'appendonly.aof.1.incr.aof')
      const { size } = await stat(log)
      await sleep(forgottenMs)
      await redis.kill()
      await truncate(log, size)
      await redis.restart()
    },
    'redis is paused': async () => {
      process.kill(redis.pid, 'SIGSTOP')
      await sleep(redisPausedMs)
      process.kill(redis.pid, 'SIGCONT')
    },
    'connections to redis are cut': async () => toRedis.cut(),
    'redis vanishes behind its connections': async () => toRedis.strand(),
    'answers of redis are lost': network(toRedis, { kind: 'lossy', share: 0.2 }, unwellMs),
    'S3 answers 500': unwell(toS3, s3InternalError, 1),
    'S3 answers 503, mostly': unwell(toS3, s3SlowDown, 0.7),
    'OpenSearch is full': unwell(toSearch, searchIsFull, 1),
    'OpenSearch is away': network(searchNetwork, { kind: 'refuse' }, unwellMs),
  }
}
