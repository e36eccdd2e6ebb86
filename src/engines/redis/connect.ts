import { readFileSync } from 'node:fs'
import { Cluster, Redis } from 'ioredis'
import { UsageError } from '../../config/usage-error.ts'
import type { RedisConfig } from './config.ts'

/** One server, or the nodes of a Cluster: callers need not know which. */
export type RedisClient = Redis | Cluster

/** Connects and asks once, so that a wrong setting shows at once and in one sentence. Reconnects by itself later on. */
export async function connectRedis(config: RedisConfig): Promise<RedisClient> {
  const client = clientFor(config)
  let last: Error | undefined
  client.on('error', (error: Error) => {
    last = error
  })
  try {
    await client.connect()
    await client.ping()
    return client
  } catch (error) {
    client.disconnect()
    const why = last?.message || (error as Error).message
    throw new UsageError(`Redis at ${placeOf(config)} cannot be used: ${why}.`, { cause: error })
  }
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
