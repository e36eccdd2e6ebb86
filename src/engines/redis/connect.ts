import { readFileSync } from 'node:fs'
import { Cluster, Redis } from 'ioredis'
import { UsageError } from '../../config/usage-error.ts'
import type { RedisConfig } from './config.ts'

/** One server, or the nodes of a Cluster: callers need not know which. */
export type RedisClient = Redis | Cluster

/** Connects and asks once, so that a wrong setting shows at once and in one sentence. Reconnects by itself later on. */
export async function connectRedis(config: RedisConfig, limitMs = 10_000): Promise<RedisClient> {
  const client = clientFor(config)
  let last: Error | undefined
  client.on('error', (error: Error) => {
    last = error
  })
  try {
    await within(limitMs, client.connect())
    await within(limitMs, client.ping())
    return client
  } catch (error) {
    client.disconnect()
    throw new UsageError(`Redis at ${placeOf(config)} cannot be used: ${reasonOf(last ?? error)}.`, { cause: error })
  }
}

/** Left alone, a client asks Sentinels that do not answer for ever. */
async function within<T>(ms: number, task: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms)
  try {
    return await Promise.race([task, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A Cluster tells only that it failed; what its last node said is the reason. */
function reasonOf(error: unknown): string {
  const { lastNodeError, message } = error as { lastNodeError?: Error; message: string }
  return (lastNodeError?.message || message).replace(/\.+$/, '')
}

/** For people: without secrets. */
export function placeOf({ url, cluster, sentinels, sentinelMaster }: RedisConfig): string {
  if (cluster.length > 0) return `${cluster.join(', ')} (Cluster)`
  if (sentinels.length > 0) return `${sentinelMaster} of the Sentinels ${sentinels.join(', ')}`
  return url === null ? 'nowhere' : url.replace(/\/\/[^@/]*@/, '//')
}

function clientFor(config: RedisConfig): RedisClient {
  const { url, cluster, sentinels, sentinelMaster: name } = config
  const shared = sharedOptions(config)
  if (cluster.length > 0)
    return new Cluster(cluster.map(hostAndPort), {
      lazyConnect: true,
      redisOptions: shared,
      clusterRetryStrategy: retryDelayMs,
      retryDelayOnFailover: 200,
      retryDelayOnClusterDown: 300,
      retryDelayOnTryAgain: 50,
    })
  if (sentinels.length > 0)
    return new Redis({ ...shared, sentinels: sentinels.map(hostAndPort), name, lazyConnect: true })
  if (url === null) throw new UsageError('No Redis is named: set engines.redis.url, .cluster or .sentinels.')
  if (!/^rediss?:\/\//.test(url))
    throw new UsageError(`"${placeOf(config)}" is no address of a Redis: it must begin with redis:// or rediss://.`)
  return new Redis(url, { ...shared, lazyConnect: true })
}

function sharedOptions({ user, password, passwordFile, tls, caFile }: RedisConfig) {
  const secret = passwordFile === '' ? password : readFileSync(passwordFile, 'utf8').trim()
  return {
    ...(user === '' ? {} : { username: user }),
    ...(secret === '' ? {} : { password: secret }),
    ...(tls || caFile !== '' ? { tls: caFile === '' ? {} : { ca: readFileSync(caFile) } } : {}),
    connectTimeout: 5000,
    maxRetriesPerRequest: null,
    retryStrategy: retryDelayMs,
  }
}

function hostAndPort(text: string): { host: string; port: number } {
  const url = URL.parse(`redis://${text}`)
  if (!url?.hostname) throw new UsageError(`"${text}" is no host and port of a Redis node.`)
  return { host: url.hostname, port: Number(url.port || 6379) }
}

const retryDelayMs = (attempt: number) => Math.min(50 * 2 ** attempt, 2000)
