import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { type Report, silently } from './cache.ts'
import { freePorts } from './free-ports.ts'
import { answersPing, serverArguments } from './redis.ts'
import { redisProgram } from './redis-program.ts'
import { homeOf, launch, type RunningEngine } from './running-engine.ts'

export interface RunningCluster extends AsyncDisposable {
  /** `host:port` of all nodes, joined by commas. */
  readonly url: string
  /** The masters, then a replica of each in the same order. A node may be killed and restarted alone. */
  readonly nodes: readonly RunningEngine[]
  stop(): Promise<void>
}

const masterCount = 3
const slotCount = 16_384
const patienceMs = 60_000

/** Three masters with a replica each. A master that is silent for two seconds is replaced. */
export async function startRedisCluster(report: Report = silently): Promise<RunningCluster> {
  const ports = await freePorts(2 * masterCount)
  const busPorts = await freePorts(2 * masterCount)
  const program = await redisProgram(report)
  const nodes = await allOrNone(ports.map((port, n) => startNode(program, port, busPorts[n]!)))
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
  }
  const clients = ports.map((port) => new Redis(port, '127.0.0.1'))
  try {
    await join(clients, ports, busPorts)
  } catch (error) {
    await stop()
    throw error
  } finally {
    for (const client of clients) client.disconnect()
  }
  return { url: ports.map((port) => `127.0.0.1:${port}`).join(','), nodes, stop, [Symbol.asyncDispose]: stop }
}

async function allOrNone(starting: readonly Promise<RunningEngine>[]): Promise<RunningEngine[]> {
  const results = await Promise.allSettled(starting)
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed === undefined) return started
  await Promise.all(started.map((node) => node.stop()))
  throw failed.reason
}

async function startNode(program: string, port: number, busPort: number): Promise<RunningEngine> {
  const home = await homeOf({}, 'redis-node')
  return launch({
    title: 'Redis Cluster',
    url: `redis://127.0.0.1:${port}`,
    program,
    arguments: [
      ...serverArguments(port, home.folder),
      ...['--appendonly', 'yes'],
      ...['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf', '--cluster-port', `${busPort}`],
      ...['--cluster-node-timeout', '2000', '--cluster-replica-validity-factor', '0'],
      // A replica waits five seconds for others to join it, unless told not to.
      ...['--repl-diskless-sync-delay', '0'],
    ],
    home,
    isReady: () => answersPing(port),
  })
}

/** What `redis-cli --cluster create` does: not every server comes with it. */
async function join(clients: readonly Redis[], ports: readonly number[], busPorts: readonly number[]): Promise<void> {
  const masters = clients.slice(0, masterCount)
  for (const [n, master] of masters.entries()) {
    const [first, last] = slotsOf(n)
    await master.call('CLUSTER', 'ADDSLOTSRANGE', `${first}`, `${last}`)
    await master.call('CLUSTER', 'SET-CONFIG-EPOCH', `${n + 1}`)
  }
  for (const [n, port] of ports.entries())
    if (n > 0) await clients[0]!.call('CLUSTER', 'MEET', '127.0.0.1', `${port}`, `${busPorts[n]}`)
  await until(() => allAnswer(clients, isAcquainted))
  for (const [n, replica] of clients.slice(masterCount).entries())
    await replica.call('CLUSTER', 'REPLICATE', String(await masters[n]!.call('CLUSTER', 'MYID')))
  await until(async () => (await allAnswer(clients, isComplete)) && (await allAnswer(clients, isInSync)))
}

export function slotsOf(master: number): readonly [first: number, last: number] {
  const start = (n: number) => Math.ceil((n * slotCount) / masterCount)
  return [start(master), start(master + 1) - 1]
}

const isAcquainted = async (client: Redis) =>
  /cluster_known_nodes:6\b/.test(String(await client.call('CLUSTER', 'INFO'))) &&
  !/handshake/.test(String(await client.call('CLUSTER', 'NODES')))

const isComplete = async (client: Redis) => {
  const roles = String(await client.call('CLUSTER', 'NODES')).match(/\bslave\b/g) ?? []
  return roles.length === masterCount && /cluster_state:ok/.test(String(await client.call('CLUSTER', 'INFO')))
}

/** A replica that has not finished its first copy cannot take over. */
const isInSync = async (client: Redis) => {
  const replication = await client.info('replication')
  return !/role:slave/.test(replication) || /master_link_status:up/.test(replication)
}

async function allAnswer(clients: readonly Redis[], is: (client: Redis) => Promise<boolean>): Promise<boolean> {
  return (await Promise.all(clients.map(is))).every(Boolean)
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('Redis Cluster: its nodes did not find each other in a minute')
    await sleep(50)
  }
}
