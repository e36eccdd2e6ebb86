import { counted } from '../cli/units.ts'
import { decideScale, type Load, type ScalingState, unscaled } from './scaling.ts'
import type { ScalingConfig } from './scaling-config.ts'
import type { Urges } from './urges.ts'
import { LoadWatch } from './worker-loads.ts'
import type { PoolWorker, WorkerPool } from './worker-pool.ts'

/** The fleet as it was seen. */
export interface Sighting {
  /** All that the fleet has heard of lately. */
  readonly workers: readonly PoolWorker[]
  readonly runningCrawls: number
  readonly heldHosts: number
  /** That nobody has taken. */
  readonly waitingHosts: number
  /** How long the first of those has been waiting. */
  readonly oldestWaitMs: number
}

/** What is told to whoever asks; KEDA reads `wantedWorkers`. */
export interface ScalingReport {
  readonly at: number
  readonly workers: number
  readonly wantedWorkers: number
  readonly servedHosts: number
  readonly waitingHosts: number
  readonly oldestWaitMs: number
  readonly cpuShare: number | null
  readonly memoryShare: number | null
  readonly reasons: readonly string[]
  readonly dryRun: boolean
}

export interface AutoscalerOptions {
  readonly config: ScalingConfig
  /** `undefined`: nobody starts workers for us. */
  readonly pool: WorkerPool | undefined
  readonly urges: Urges
  readonly log: (line: string) => void
}

/** Looks, decides, and asks the pool: each time the leader's turn comes. */
export class Autoscaler {
  readonly #options: AutoscalerOptions
  readonly #loads = new LoadWatch()
  #state: ScalingState = unscaled

  constructor(options: AutoscalerOptions) {
    this.#options = options
  }

  async look(sighting: Sighting, now: number): Promise<ScalingReport> {
    const { config } = this.#options
    const workers = sighting.workers.filter(({ role }) => role !== 'parse')
    const alive = workers.filter((worker) => worker.alive)
    const { stuckHosts, hostsOfFull = spreadOf(sighting, alive.length) } = stuckIn(alive)
    const servedHosts = Math.max(0, sighting.heldHosts - stuckHosts)
    const waitingHosts = sighting.waitingHosts + stuckHosts
    const { oldestWaitMs } = sighting
    const { cpuShare, memoryShare } = this.#loads.see(alive, now)
    const hasWork = sighting.runningCrawls > 0
    const load: Load = { workers: alive.length, hasWork, cpuShare, memoryShare, servedHosts, waitingHosts, hostsOfFull }
    const before = this.#state.wanted
    const decision = decideScale(load, this.#takeUrge(alive.length, now), config, now)
    this.#state = decision.state
    const { wanted, reasons } = decision
    if (wanted !== (before ?? alive.length)) this.#say(before ?? alive.length, wanted, alive.length, reasons)
    if (!config.dryRun) await this.#apply(wanted, workers, alive)
    return {
      ...{ at: now, workers: alive.length, wantedWorkers: wanted, servedHosts, waitingHosts, oldestWaitMs },
      ...{ cpuShare, memoryShare, reasons, dryRun: config.dryRun || !this.#options.pool },
    }
  }

  /** The next decision starts from there. */
  #takeUrge(alive: number, now: number): ScalingState {
    const { maxWorkers } = this.#options.config
    const current = this.#state.wanted ?? alive
    const wanted = Math.min(maxWorkers, current + this.#options.urges.take())
    return wanted > current ? { ...this.#state, wanted, changedAt: now } : this.#state
  }

  async #apply(wanted: number, workers: readonly PoolWorker[], alive: readonly PoolWorker[]): Promise<void> {
    const { pool, log, config } = this.#options
    if (!pool) return
    for (const worker of workers)
      if (worker.silentMs > config.replaceAfterMs && pool.owns(worker)) {
        log(`scaling: worker ${worker.id} has been silent for ${Math.round(worker.silentMs / 1000)} s and is replaced`)
        await pool.replace(worker)
      }
    const others = alive.filter((worker) => !pool.owns(worker)).length
    await pool.scaleTo(Math.max(0, wanted - others))
  }

  #say(before: number, wanted: number, alive: number, reasons: readonly string[]): void {
    const { config, pool, log } = this.#options
    const why = reasons.join('; ')
    if (!pool) log(`scaling: ${counted(wanted, 'worker')} wanted, ${alive} there (${why})`)
    else log(`scaling: ${config.dryRun ? 'would change' : 'changes'} from ${before} to ${wanted} workers (${why})`)
  }
}

/** Hosts whose holders are busy with others, and what such a holder bears. */
function stuckIn(alive: readonly PoolWorker[]): { stuckHosts: number; hostsOfFull?: number } {
  const told = alive.map(({ stats }) => ({ open: Number(stats.openHosts), stuck: Number(stats.waitingHosts) }))
  const full = told.filter(({ open, stuck }) => stuck > 0 && open >= stuck)
  const stuckHosts = full.reduce((sum, { stuck }) => sum + stuck, 0)
  const served = full.reduce((sum, { open }) => sum + open, 0) - stuckHosts
  return { stuckHosts, ...(full.length > 0 && { hostsOfFull: served / full.length }) }
}

/** That hosts wait untaken means that all workers are full. */
function spreadOf({ heldHosts, waitingHosts }: Sighting, workers: number): number | null {
  return waitingHosts > 0 && workers > 0 ? heldHosts / workers : null
}
