import { UsageError } from '../../config/usage-error.ts'
import { decoded, withoutSecrets } from '../address.ts'
import { certificatesOf, contentOf, secretOf } from '../setting-files.ts'
import type { RedisConfig } from './config.ts'

/** Settings → what the client library takes for every server that holds data. */
export function serverOptions(config: RedisConfig, connectTimeout: number) {
  const password = secretOf(config.password, 'engines.redis.passwordFile', config.passwordFile)
  return {
    ...credentials(config.user, password),
    ...tlsOptions(config),
    ...patience(connectTimeout),
    socketTimeout: config.timeoutMs,
    maxRetriesPerRequest: null,
    retryStrategy: retryDelayMs,
  }
}

/** … and for a Sentinel, when it is spoken to like a server. */
export function sentinelServerOptions(config: RedisConfig, connectTimeout: number) {
  const password = secretOf(config.sentinelPassword, 'engines.redis.sentinelPasswordFile', config.sentinelPasswordFile)
  return {
    ...credentials(config.sentinelUser, password),
    ...tlsOptions(config),
    ...patience(connectTimeout),
    retryStrategy: null,
    enableReadyCheck: false,
  }
}

/** … and for a master that is found by Sentinels. */
export function sentinelOptions(config: RedisConfig, connectTimeout: number) {
  const { username, password, tls } = sentinelServerOptions(config, connectTimeout)
  return {
    sentinels: config.sentinels.map(hostAndPort),
    name: config.sentinelMaster,
    sentinelRetryStrategy: retryDelayMs,
    // One that is silent must not keep us from asking the next.
    sentinelCommandTimeout: Math.min(2000, config.timeoutMs),
    ...(username ? { sentinelUsername: username } : {}),
    ...(password ? { sentinelPassword: password } : {}),
    ...(tls ? { sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
  }
}

/** A connection that does not say good-bye must not keep a program from ending. */
const patience = (connectTimeout: number) => ({ connectTimeout, disconnectTimeout: 300 })

export const speaksTls = ({ url, tls, caFile, certificateFile }: RedisConfig): boolean =>
  tls || caFile !== '' || certificateFile !== '' || (url?.startsWith('rediss://') ?? false)

function credentials(username: string, password: string): { username?: string; password?: string } {
  return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) }
}

function tlsOptions(config: RedisConfig): { tls?: { ca?: Buffer; cert?: Buffer; key?: Buffer } } {
  if (!speaksTls(config)) return {}
  const { caFile, certificateFile, keyFile } = config
  return {
    tls: {
      ...(caFile === '' ? {} : { ca: certificatesOf('engines.redis.caFile', caFile) }),
      ...(certificateFile === '' ? {} : { cert: certificatesOf('engines.redis.certificateFile', certificateFile) }),
      ...(keyFile === '' ? {} : { key: contentOf('engines.redis.keyFile', keyFile) }),
    },
  }
}

export function checkedUrl(text: string): string {
  if (!/^rediss?:\/\//.test(text))
    throw new UsageError(
      `"${withoutSecrets(text)}" is no address of a Redis: it must begin with redis:// or rediss://.`,
    )
  const url = URL.parse(text)
  if (!url?.hostname)
    throw new UsageError(
      'engines.redis.url is no address of a Redis: write redis://host:port, with %2F, %3A, %40 for / : @ in a password.',
    )
  for (const part of [url.username, url.password]) decoded('engines.redis.url', part)
  return text
}

export function hostAndPort(text: string): { host: string; port: number } {
  const url = URL.parse(`redis://${text}`)
  if (!url?.hostname) throw new UsageError(`"${withoutSecrets(text)}" is no host and port of a Redis node.`)
  return { host: url.hostname, port: Number(url.port || 6379) }
}

export const retryDelayMs = (attempt: number) => Math.min(50 * 2 ** attempt, 2000)
