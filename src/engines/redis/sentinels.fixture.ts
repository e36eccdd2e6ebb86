import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { silently } from '../../../scripts/engines/cache.ts'
import { freePorts } from '../../../scripts/engines/free-ports.ts'
import { answersPing, startRedis } from '../../../scripts/engines/redis.ts'
import { redisProgram } from '../../../scripts/engines/redis-program.ts'
import { homeOf, launch, type RunningEngine } from '../../../scripts/engines/running-engine.ts'
import type { Certificates } from '../certificates.fixture.ts'

/** What guards the servers and the Sentinels, of whom each has a password of its own. */
export interface Guard {
  readonly certificates: Certificates
  readonly password: string
  readonly sentinelPassword: string
}

export interface WatchedRedis extends AsyncDisposable {
  readonly master: RunningEngine
  readonly replica: RunningEngine
  /** As `engines.redis.sentinels` wants them. */
  readonly sentinels: readonly string[]
}

const quorum = 2

/** A master with a replica, and three Sentinels who replace a master that is silent for half a second. */
export async function startWatchedRedis(guard?: Guard): Promise<WatchedRedis> {
  await using stack = new AsyncDisposableStack()
  // Each listens on two ports: whether it is up is asked on the open one, work is done on the guarded one.
  const ports = await freePorts(10)
  const [master, replica, ...sentinels] = Array.from({ length: 5 }, (_, n) => ({
    open: ports[2 * n]!,
    used: ports[2 * n + (guard ? 1 : 0)]!,
  }))
  const keepUp = ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1']
  const settings = [...keepUp, ...dashed(serverSettings(guard, master!.used))]
  const first = stack.use(await startRedis({ port: master!.open, settings }))
  const following = [...keepUp, ...dashed(serverSettings(guard, replica!.used))]
  const replicaOf = ['--replicaof', '127.0.0.1', `${master!.used}`]
  const second = stack.use(await startRedis({ port: replica!.open, settings: [...following, ...replicaOf] }))
  await isFollowing(replica!.open, guard?.password)
  const watchers = sentinels.map(({ open, used }) => startSentinel(open, used, master!.used, guard))
  for (const watcher of await Promise.all(watchers)) stack.use(watcher)
  await Promise.all(sentinels.map(({ open }) => knowsAll(open, guard?.sentinelPassword)))
  const opened = stack.move()
  return {
    ...{ master: first, replica: second, sentinels: sentinels.map(({ used }) => `127.0.0.1:${used}`) },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function serverSettings(guard: Guard | undefined, port: number): string[][] {
  if (!guard) return []
  return [...tlsSettings(guard, port), ['requirepass', guard.password], ['masterauth', guard.password]]
}

function tlsSettings({ certificates: { certificateFile, keyFile, caFile } }: Guard, port: number): string[][] {
  return [
    ['tls-port', `${port}`],
    ['tls-cert-file', certificateFile],
    ['tls-key-file', keyFile],
    ['tls-ca-cert-file', caFile],
    ['tls-auth-clients', 'no'],
    ['tls-replication', 'yes'],
  ]
}

const dashed = (settings: readonly string[][]) => settings.flatMap(([name, value]) => [`--${name}`, value!])

async function startSentinel(open: number, used: number, master: number, guard?: Guard): Promise<RunningEngine> {
  const program = await redisProgram(silently)
  const home = await homeOf({}, 'sentinel')
  const file = join(home.folder, 'sentinel.conf')
  const lines = [
    ['port', `${open}`],
    ['bind', '127.0.0.1'],
    ['sentinel', 'monitor', 'mymaster', '127.0.0.1', `${master}`, `${quorum}`],
    ['sentinel', 'down-after-milliseconds', 'mymaster', '500'],
    ['sentinel', 'failover-timeout', 'mymaster', '3000'],
    ...(guard ? tlsSettings(guard, used) : []),
    ...(guard ? [['requirepass', guard.sentinelPassword]] : []),
    ...(guard ? [['sentinel', 'auth-pass', 'mymaster', guard.password]] : []),
  ]
  await writeFile(file, lines.map((line) => `${line.join(' ')}\n`).join(''))
  return launch({
    ...{ title: 'Redis Sentinel', url: `redis://127.0.0.1:${open}`, program, home },
    arguments: [file, '--sentinel'],
    isReady: () => answersPing(open),
  })
}

/** A replica that has not finished its first copy cannot take over. */
async function isFollowing(port: number, password: string | undefined): Promise<void> {
  await until(port, password, async (client) => (await client.info('replication')).includes('master_link_status:up'))
}

/** Sentinels find replicas and each other by way of the master, within a few seconds. */
async function knowsAll(port: number, password: string | undefined): Promise<void> {
  await until(port, password, async (client) =>
    /status=ok,.*slaves=1,sentinels=3/.test(String(await client.call('INFO', 'sentinel'))),
  )
}

async function until(port: number, password: string | undefined, holds: (client: Redis) => Promise<boolean>) {
  const client = new Redis({ port, host: '127.0.0.1', ...(password ? { password } : {}), enableReadyCheck: false })
  const deadline = performance.now() + 30_000
  try {
    while (!(await holds(client))) {
      if (performance.now() > deadline) throw new Error('Redis, replica and Sentinels did not find each other')
      await sleep(50)
    }
  } finally {
    client.disconnect()
  }
}
