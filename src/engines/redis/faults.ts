import { UsageError } from '../../config/usage-error.ts'
import { certificateFault } from '../certificate-fault.ts'
import type { RedisConfig } from './config.ts'
import { speaksTls } from './options.ts'

type Clauses = readonly (readonly [words: RegExp, clause: string])[]

/** Why there is no connection: one clause for people, with the setting to look at, and no secrets. */
export function connectionFault(error: unknown, config: RedisConfig, from: 'server' | 'sentinel' = 'server'): string {
  const { message, code = '' } = innermost(error)
  const untrusted = certificateFault({ message, code }, 'engines.redis.caFile')
  if (untrusted) return untrusted
  const known: Clauses = [
    [
      /invalid reply: null|No such master/,
      `the Sentinels know no master "${config.sentinelMaster}" (engines.redis.sentinelMaster)`,
    ],
    ...(from === 'sentinel' || /sentinel/.test(message) ? sentinelRefusals : refusals),
    [/certificate required|bad certificate|unknown ca/, `it wants a certificate of ours that it trusts (${ours})`],
    ...(speaksTls(config) ? overTls : overPlain),
  ]
  const found = known.find(([words]) => words.test(`${code} ${message}`))
  return found?.[1] ?? message.replace(/^.*(?:Last error: |because )/s, '').replace(/\.+$/, '')
}

/** There was a connection that failed, but not a word why. */
export const isUnexplained = (error: unknown): boolean => /Connection is closed/.test(innermost(error).message)

/** The engine is there, but the user may not do what a fleet does. */
export function permissionFault(error: unknown, { prefix }: RedisConfig): string | undefined {
  if (!/NOPERM|ACL failure|user executing the script/.test((error as Error).message)) return undefined
  return `its user may not do all that a fleet does (engines.redis.user needs ~${prefix}:* +@all -@dangerous +info)`
}

/** Somebody has changed the password, or what the user may do, while we were connected: no patience changes that. */
export function accessLost(error: Error): UsageError | undefined {
  if (!/^(?:WRONGPASS|NOAUTH|NOPERM)/.test(error.message)) return undefined
  const said = error.message.replace(/\.+$/, '')
  return new UsageError(
    `Redis no longer lets us do our work (${said}): correct engines.redis.user and .password, then resume the crawl.`,
  )
}

const refusals: Clauses = [
  [/WRONGPASS|invalid password/, 'it refuses user or password (engines.redis.user, .password, .passwordFile)'],
  [/NOAUTH/, 'it wants a password (engines.redis.password or .passwordFile)'],
]

const sentinelRefusals: Clauses = [
  [/WRONGPASS|invalid password/, 'it refuses user or password (engines.redis.sentinelUser, .sentinelPassword)'],
  [/NOAUTH/, 'it wants a password (engines.redis.sentinelPassword or .sentinelPasswordFile)'],
]

const ours = 'engines.redis.certificateFile, .keyFile'

const brokenOff = /ECONNRESET|EPIPE|Connection is closed/

const silence = /ETIMEDOUT|no answer|^ ?timeout$/

const overTls: Clauses = [
  [brokenOff, `it broke the connection off: it wants a certificate of ours (${ours}), or no TLS`],
  [silence, 'it does not answer, or does not speak TLS (engines.redis.tls, rediss:// in .url)'],
  [/EPROTO|wrong version number|packet length/, 'it does not speak TLS (engines.redis.tls, rediss:// in .url)'],
]

const overPlain: Clauses = [
  [silence, 'it does not answer'],
  [brokenOff, 'it broke the connection off: it may want TLS (engines.redis.tls, or rediss:// in .url)'],
]

/** A Cluster tells only that it failed; what its last node said is the reason. */
function innermost(error: unknown): { readonly message: string; readonly code?: string } {
  const { lastNodeError, message, code } = error as { lastNodeError?: Error; message: string; code?: string }
  return lastNodeError?.message ? innermost(lastNodeError) : { message, ...(code ? { code } : {}) }
}
