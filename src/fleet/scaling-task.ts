import { UsageError } from '../config/usage-error.ts'
import { patiently } from '../engines/redis/patience.ts'
import { kubernetesPool, mountedAccount } from '../orchestrator/adapters/kubernetes/kubernetes-pool.ts'
import { localPool } from '../orchestrator/adapters/local/local-pool.ts'
import type { Autoscaler, ScalingReport } from '../orchestrator/autoscaler.ts'
import type { ScalingConfig } from '../orchestrator/scaling-config.ts'
import type { WorkerPool } from '../orchestrator/worker-pool.ts'
import type { Fleet } from './fleet.ts'
import { hostDemand } from './host-demand.ts'
import { registryKeys } from './registry/keys.ts'

export interface PoolParts {
  readonly fleet: Fleet
  readonly config: ScalingConfig
  /** How a worker is started on this machine. */
  readonly workerCommand: readonly [program: string, ...args: string[]] | undefined
  readonly log: (line: string) => void
}

/** Whoever starts workers, as the settings say. It lives as long as this process, also while another leads. */
export function openPool({ fleet, config, workerCommand, log }: PoolParts): WorkerPool | undefined {
  switch (config.pool) {
    case 'none':
      return undefined
    case 'local':
      if (!workerCommand) throw new UsageError('orchestrator.scaling.pool local works with `orbweaver serve` only.')
      return localPool({ command: workerCommand, clock: fleet.clock, log })
    case 'kubernetes': {
      const account = mountedAccount(process.env)
      const namespace = config.namespace || account.namespace
      return kubernetesPool({ account: { ...account, namespace }, deployment: config.deployment })
    }
    default:
      return config.pool satisfies never
  }
}

/** One look of the leader at the load. What it decided is told to the fleet, so that any of its servers can say. */
export async function scaleFleet(fleet: Fleet, autoscaler: Autoscaler, { waitingGraceMs }: ScalingConfig) {
  const running = (await fleet.crawls.active()).filter(({ state }) => state === 'running').map(({ id }) => id)
  const demand = await hostDemand(fleet, running, waitingGraceMs)
  const workers = await fleet.workers.list()
  const sighting = { workers, runningCrawls: running.length, ...demand }
  const report = await autoscaler.look(sighting, fleet.clock.now())
  const { scaling } = keysOf(fleet)
  await patiently(fleet.redis, fleet.clock, () => fleet.redis.set(scaling, JSON.stringify(report), 'EX', keptSeconds))
}

/** What the leader has decided last; `undefined`: nobody has led lately. */
export async function readScaling(fleet: Fleet): Promise<ScalingReport | undefined> {
  const told = await patiently(fleet.redis, fleet.clock, () => fleet.redis.get(keysOf(fleet).scaling))
  return told === null ? undefined : (JSON.parse(told) as ScalingReport)
}

const keptSeconds = 120
const keysOf = ({ engines }: Fleet) => registryKeys(engines.redis.prefix)
