import { Resolver as CaresResolver, lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { DnsConfig } from '../../config.ts'
import type { Address, Resolution, Resolver } from '../../resolver.ts'

type SystemConfig = Pick<
  DnsConfig,
  'servers' | 'queryTimeoutMs' | 'tries' | 'assumedTtlMs' | 'notFoundTtlMs' | 'failedTtlMs'
>

/** What one question (A or AAAA) brought: addresses, the certainty that there are none, or nothing. */
type Records =
  | { readonly kind: 'found'; readonly addresses: readonly Address[]; readonly ttlMs: number }
  | { readonly kind: 'none' | 'failed'; readonly code: string }

/** How long the other family is waited for once IPv4 has answered: some servers drop questions for AAAA. */
const secondFamilyGraceMs = 150

const noSuchName = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME'])

/**
 * Asks name servers over the network (c-ares), which tells lifetimes and blocks no thread. Names that only this machine
 * knows (`localhost`, single labels, the hosts file, mDNS) are left to the system, unless servers were named explicitly.
 */
export function systemResolver(config: SystemConfig): Resolver {
  const cares = new CaresResolver({ timeout: config.queryTimeoutMs, tries: config.tries })
  if (config.servers.length > 0) cares.setServers(config.servers)
  const onlyTheseServers = config.servers.length > 0

  return {
    async resolve(host) {
      const name = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
      const family = isIP(name)
      if (family === 4 || family === 6)
        return { kind: 'resolved', addresses: [{ address: name, family }], ttlMs: Number.MAX_SAFE_INTEGER }
      if (!isHostName(name)) return notFound(`${host} is not a host name`, config)
      if (isLocal(name, onlyTheseServers)) return askSystem(name, config)

      const resolution = await askServers(cares, name, config)
      return resolution.kind === 'resolved' || onlyTheseServers ? resolution : askSystem(name, config, resolution)
    },
    async [Symbol.asyncDispose]() {
      cares.cancel()
    },
  }
}

function isHostName(name: string): boolean {
  return name.length <= 253 && /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/i.test(name)
}

function isLocal(name: string, onlyTheseServers: boolean): boolean {
  return /(^|\.)localhost$/i.test(name) || (!onlyTheseServers && !name.includes('.'))
}

async function askServers(cares: CaresResolver, name: string, config: SystemConfig): Promise<Resolution> {
  const asking6 = records(cares.resolve6(name, { ttl: true }), 6)
  const a = await records(cares.resolve4(name, { ttl: true }), 4)
  const aaaa = a.kind === 'found' ? await within(asking6, secondFamilyGraceMs) : await asking6
  const found = [aaaa, a].filter((one) => one.kind === 'found')
  if (found.length > 0)
    return {
      kind: 'resolved',
      addresses: found.flatMap((one) => one.addresses),
      ttlMs: Math.min(...found.map((one) => one.ttlMs)),
    }
  const failure = [a, aaaa].find((one) => one.kind === 'failed')
  if (failure?.kind === 'failed')
    return {
      kind: 'failed',
      detail: `${name}: name servers gave no answer (${failure.code})`,
      ttlMs: config.failedTtlMs,
    }
  return notFound(`${name} does not exist or has no address`, config)
}

async function records(
  question: Promise<readonly { address: string; ttl: number }[]>,
  family: 4 | 6,
): Promise<Records> {
  try {
    const answers = await question
    if (answers.length === 0) return { kind: 'none', code: 'ENODATA' }
    return {
      kind: 'found',
      addresses: answers.map(({ address }) => ({ address, family })),
      ttlMs: Math.min(...answers.map(({ ttl }) => ttl)) * 1000,
    }
  } catch (error) {
    return unanswered(error)
  }
}

/** What the servers have said stands, unless the system knows an address: only they can say that a name does not exist. */
async function askSystem(name: string, config: SystemConfig, fromServers?: Resolution): Promise<Resolution> {
  // getaddrinfo has no time limit of its own.
  const answer = await within(systemRecords(name, config), config.queryTimeoutMs * config.tries)
  if (answer.kind === 'found') return { kind: 'resolved', addresses: answer.addresses, ttlMs: answer.ttlMs }
  if (fromServers) return fromServers
  if (answer.kind === 'none') return notFound(`${name} is unknown to this machine`, config)
  return { kind: 'failed', detail: `${name}: the system gave no answer (${answer.code})`, ttlMs: config.failedTtlMs }
}

async function systemRecords(name: string, config: SystemConfig): Promise<Records> {
  try {
    const answers = await lookup(name, { all: true })
    if (answers.length === 0) return { kind: 'none', code: 'ENOTFOUND' }
    const addresses = answers.map(({ address, family }): Address => ({ address, family: family === 6 ? 6 : 4 }))
    return { kind: 'found', addresses, ttlMs: config.assumedTtlMs }
  } catch (error) {
    return unanswered(error)
  }
}

function unanswered(error: unknown): Records {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
  return { kind: noSuchName.has(code) ? 'none' : 'failed', code }
}

function notFound(detail: string, config: SystemConfig): Resolution {
  return { kind: 'not-found', detail, ttlMs: config.notFoundTtlMs }
}

async function within(question: Promise<Records>, limitMs: number): Promise<Records> {
  const late = Promise.withResolvers<Records>()
  const timer = setTimeout(() => late.resolve({ kind: 'failed', code: 'ETIMEOUT' }), limitMs)
  try {
    return await Promise.race([question, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
