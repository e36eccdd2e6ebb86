import { hostname } from 'node:os'
import type { Config } from '../config/schema.ts'
import { Urges } from '../orchestrator/urges.ts'
import type { WorkerPool } from '../orchestrator/worker-pool.ts'
import type { Fleet } from './fleet.ts'
import { type LeaderTask, type Leading, leaderTasks } from './leader-tasks.ts'
import { type LeaderLock, type LeaderTerm, leaderLock } from './registry/leader.ts'
import { openPool, type PoolParts } from './scaling-task.ts'

export interface OrchestratorOptions {
  readonly fleet: Fleet
  readonly id: string
  readonly config: Pick<Config, 'orchestrator'>
  /** How a worker is started on this machine; without it, none can be. */
  readonly workerCommand?: PoolParts['workerCommand']
  /** Wishes for more workers, by alerts. */
  readonly urges?: Urges
  /** Called when this process begins to lead. */
  readonly onTerm?: (term: LeaderTerm) => void
  readonly log: (line: string) => void
}

/**
 * Looks after a fleet: what dead workers left behind, what an engine has forgotten, crawls that nobody ends. It keeps
 * nothing of its own; of several one leads, and another takes over when that falls silent.
 */
export async function orchestrate(options: OrchestratorOptions, leaving: AbortSignal): Promise<void> {
  const { fleet, id, log, workerCommand, urges = new Urges() } = options
  const { scaling } = options.config.orchestrator
  await using pool = openPool({ fleet, config: scaling, workerCommand, log })
  const lock = leaderLock(fleet.redis, fleet.engines.redis.prefix, id, fleet.clock)
  // Whoever leaves does not wait for an engine that is away.
  if (pool) void standBy(pool, lock, options, leaving)
  await lock.campaign(async (term) => {
    log(`${id} on ${hostname()} leads the fleet (term ${term.number})`)
    options.onTerm?.(term)
    const over = AbortSignal.any([leaving, term.over])
    const tasks = leaderTasks({ fleet, term, scaling, pool, urges, log })
    await Promise.all(tasks.map((task) => repeat(task, fleet, term, over, log)))
    if (!leaving.aborted) log(`${id} no longer leads the fleet`)
  }, leaving)
}

const standByMs = 2000

/**
 * Workers of a pool in this process outlast its lead, so that nothing is lost while nobody leads. Once another does, it
 * counts them and cannot end them: then they leave in order, and it starts what is missing by its own pool.
 */
async function standBy(pool: WorkerPool, lock: LeaderLock, options: OrchestratorOptions, leaving: AbortSignal) {
  const { fleet, id, log } = options
  while (!leaving.aborted) {
    await fleet.clock.sleep(standByMs, leaving)
    try {
      const leader = await lock.leader()
      if (leaving.aborted || !leader || leader.id === id) continue
      const workers = await pool.standDown()
      if (workers > 0) log(`${leader.id} leads the fleet: ${workers} workers of the pool of ${id} leave`)
    } catch (error) {
      if (!leaving.aborted) log(`pool: ${(error as Error).message}`)
    }
  }
}

/** A task that fails is told of and tried again: the others go on. */
async function repeat(task: LeaderTask, { clock }: Fleet, term: LeaderTerm, over: AbortSignal, log: Leading['log']) {
  while (!over.aborted) {
    try {
      if (term.leads()) await task.run()
    } catch (error) {
      log(`${task.name}: ${(error as Error).message}`)
    }
    await clock.sleep(task.everyMs, over)
  }
}
