import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster, Redis } from 'ioredis'
import { UsageError } from '../../config/usage-error.ts'
import { withoutSecrets } from '../address.ts'
import type { RedisConfig } from './config.ts'
import { connectionFault, isUnexplained, permissionFault } from './faults.ts'
import {
  checkedUrl,
  hostAndPort,
  retryDelayMs,
  sentinelOptions,
  sentinelServerOptions,
  serverOptions,
} from './options.ts'
import { isPassing } from './patience.ts'

/** One server, or the nodes of a Cluster: callers need not know which. */
export type RedisClient = Redis | Cluster

/** Connects and asks once, so that a wrong setting shows at once and in one sentence. Reconnects by itself later on. */
export async function connectRedis(config: RedisConfig, limitMs = 5000): Promise<RedisClient> {
  // A connection that is given up knows the reason, whoever waits for it does not: it comes first.
  const connectTimeoutMs = 0.8 * limitMs
  const client = clientFor(config, connectTimeoutMs)
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>()
  let last: Error | undefined
  client.on('error', (error: Error) => {
    last = error
    // Left alone, it asks them again and again.
    if (/^All sentinels are unreachable/.test(error.message)) refuse(error)
  })
  try {
    await within(limitMs, Promise.race([connected(client), refused]))
  } catch (error) {
    client.disconnect()
    const ofNode = await faultOfNode(config, last ?? error, connectTimeoutMs)
    throw unusable(config, ofNode ?? connectionFault(last ?? error, config), error)
  }
  await checkPermissions(client, config)
  return client
}

/**
 * A Cluster in the middle of a fail-over answers in a moment. Its client, when it finds the Cluster not ready, begins again
 * and leaves the promise of its first attempt as it is: only the event tells.
 */
async function connected(client: RedisClient): Promise<void> {
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  client.once('ready', resolve)
  await Promise.race([client.connect(), ready])
  for (;;) {
    try {
      await client.ping()
      return
    } catch (error) {
      if (!(client instanceof Cluster) || !isPassing(error) || client.status === 'end') throw error
    }
    await sleep(pingAgainMs)
  }
}

const pingAgainMs = 200

/** Of Sentinels and nodes the client tells only that they were lost: so one of them is asked as a server. */
async function faultOfNode(config: RedisConfig, last: unknown, connectTimeoutMs: number): Promise<string | undefined> {
  const { cluster, sentinels } = config
  const [node] = cluster.length > 0 ? cluster : sentinels
  if (node === undefined || !isUnexplained(last)) return undefined
  const kind = cluster.length > 0 ? 'server' : 'sentinel'
  const options = (kind === 'server' ? serverOptions : sentinelServerOptions)(config, connectTimeoutMs)
  const client = new Redis({ ...options, ...hostAndPort(node), retryStrategy: null, lazyConnect: true })
  let fault: Error | undefined
  client.on('error', (error: Error) => {
    fault ??= error
  })
  try {
    await client.connect()
    return undefined
  } catch (error) {
    const clause = connectionFault(fault ?? error, config, kind)
    return kind === 'server' ? clause : `no Sentinel can be asked: ${clause}`
  } finally {
    client.disconnect()
  }
}

/** Only what is not allowed is told: what an engine that is full or fails over answers will pass. */
async function checkPermissions(client: RedisClient, config: RedisConfig): Promise<void> {
  try {
    await client.info('server')
    await client.eval("return redis.call('SET', KEYS[1], '', 'PX', 1)", 1, `${config.prefix}:permission-check`)
  } catch (error) {
    const fault = permissionFault(error, config)
    if (!fault) return
    client.disconnect()
    throw unusable(config, fault, error)
  }
}

/** The client's errors carry the command that failed, and with it, maybe, a password: they go no further. */
const unusable = (config: RedisConfig, clause: string, error: unknown) =>
  new UsageError(`Redis at ${placeOf(config)} cannot be used: ${clause}.`, {
    cause: new Error((error as Error).message),
  })

async function within<T>(ms: number, task: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms)
  try {
    return await Promise.race([task, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** For people: without secrets. */
export function placeOf({ url, cluster, sentinels, sentinelMaster }: RedisConfig): string {
  if (cluster.length > 0) return `${cluster.map(withoutSecrets).join(', ')} (Cluster)`
  if (sentinels.length > 0) return `${sentinelMaster} of the Sentinels ${sentinels.map(withoutSecrets).join(', ')}`
  return url === null ? 'nowhere' : withoutSecrets(url)
}

function clientFor(config: RedisConfig, connectTimeoutMs: number): RedisClient {
  const { url, cluster, sentinels } = config
  const server = serverOptions(config, connectTimeoutMs)
  if (cluster.length > 0)
    return new Cluster(cluster.map(hostAndPort), {
      lazyConnect: true,
      redisOptions: server,
      slotsRefreshTimeout: connectTimeoutMs,
      clusterRetryStrategy: retryDelayMs,
      retryDelayOnFailover: 200,
      retryDelayOnClusterDown: 300,
      retryDelayOnTryAgain: 50,
    })
  const single = { ...server, lazyConnect: true, reconnectOnError: isNoMaster }
  if (sentinels.length > 0) return new Redis({ ...single, ...sentinelOptions(config, connectTimeoutMs) })
  if (url === null) throw new UsageError('No Redis is named: set engines.redis.url, .cluster or .sentinels.')
  return new Redis(checkedUrl(url), single)
}

/** A master that was deposed, and knows it: by its name, or by the Sentinels, its successor is found. */
const isNoMaster = ({ message }: Error) => /^(?:READONLY|NOREPLICAS)/.test(message)
