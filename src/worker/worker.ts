import type { Clock } from '../clock.ts'
import type { Frontier, HostLease } from '../frontier/frontier.ts'
import type { WorkerConfig } from './config.ts'

export type EndReason = 'finished' | 'limit' | 'stopped'

export interface WorkerParts {
  readonly frontier: Frontier
  readonly clock: Clock
  readonly config: WorkerConfig
  readonly maxWaitMs: number
  readonly runSession: (lease: HostLease) => Promise<void>
  readonly limitReached: () => boolean
  /** Set: lease no more, let what is under way end. */
  readonly draining: AbortSignal
}

/**
 * Leases hosts and runs a session for each until nothing is left. The crawl is finished when nothing is queued or
 * leased; what can only be due after `maxWaitMs`, with nothing else to do, is given up as dead letters first.
 */
export class Worker {
  readonly #parts: WorkerParts
  readonly #sessions = new Set<Promise<void>>()
  #wake = () => {}

  constructor(parts: WorkerParts) {
    this.#parts = parts
  }

  get openHosts(): number {
    return this.#sessions.size
  }

  /** Whether there is room for hosts that nobody waits for: then a session may go on with its own. */
  get hasRoom(): boolean {
    return this.#sessions.size < this.#parts.config.hostsAtOnce
  }

  /** Something may have become due: links were offered, a host was released. */
  wake(): void {
    this.#wake()
  }

  async run(): Promise<EndReason> {
    const { draining, limitReached } = this.#parts
    let reason: EndReason | undefined
    while (!reason) {
      if (draining.aborted) reason = 'stopped'
      else if (limitReached()) reason = 'limit'
      else if (await this.#isFinished()) reason = 'finished'
    }
    await Promise.all(this.#sessions)
    return reason
  }

  async #isFinished(): Promise<boolean> {
    const { frontier, config, maxWaitMs } = this.#parts
    const room = Math.min(config.hostsAtOnce - this.#sessions.size, leaseAtOnce)
    const { leases, nextDueMs } = room > 0 ? await frontier.lease(room, urlsPerLease) : { leases: [], nextDueMs: null }
    for (const lease of leases) this.#start(lease)
    if (leases.length === leaseAtOnce) return false
    if (this.#sessions.size === 0) {
      const { queued, leased } = await frontier.counts()
      if (queued + leased === 0) return true
      if ((nextDueMs ?? 0) > maxWaitMs && (await frontier.abandon(maxWaitMs)) > 0) return false
    }
    await this.#pause(nextDueMs)
    return false
  }

  #start(lease: HostLease): void {
    const session = this.#parts.runSession(lease).finally(() => {
      this.#sessions.delete(session)
      this.#wake()
    })
    this.#sessions.add(session)
  }

  async #pause(nextDueMs: number | null): Promise<void> {
    const { clock, draining } = this.#parts
    const stop = new AbortController()
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    const waitMs = Math.max(minPauseMs, nextDueMs ?? idlePauseMs)
    await Promise.race([woken, clock.sleep(waitMs, AbortSignal.any([stop.signal, draining]))])
    this.#wake = () => {}
    stop.abort()
  }
}

const leaseAtOnce = 50
const urlsPerLease = 10
const minPauseMs = 2
const idlePauseMs = 1000
