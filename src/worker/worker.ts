import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Frontier, HostLease, LeaseAnswer } from '../frontier/frontier.ts'
import type { Alarms } from './alarms.ts'
import type { WorkerConfig } from './config.ts'

export type EndReason = 'finished' | 'limit' | 'stopped'

export interface WorkerParts {
  readonly frontier: Frontier
  readonly clock: Clock
  readonly alarms: Alarms
  readonly config: WorkerConfig
  readonly maxWaitMs: number
  /** Others may offer URLs at any moment: asks at least so often whether there is something to do. */
  readonly lookAgainMs: number
  /** Answers whether anything was settled for good. */
  readonly runSession: (lease: HostLease) => Promise<boolean>
  readonly limitReached: () => boolean
  /** Whether this worker can do with more hosts: those that it cannot serve are better left to others. */
  readonly mayLease: () => boolean
  /** The crawl cannot go on; what is under way is given up. */
  readonly fail: (error: unknown) => void
  /** Nothing is leased, and nobody is given up, until the crawl goes on. Left out: never. */
  readonly isPaused?: () => boolean
  /** It goes on when nothing is left, since what was visited is due again some time. Left out: it ends. */
  readonly staysOpen?: boolean
  /** Set: lease no more, let what is under way end. */
  readonly draining: AbortSignal
}

/**
 * Leases hosts and runs a session for each until nothing is left. The crawl is finished when nothing is queued or
 * leased, unless it stays open; what is held back for longer than `maxWaitMs` in all, with nothing else to do, is given up
 * as dead letters first.
 */
export class Worker {
  readonly #parts: WorkerParts
  readonly #sessions = new Set<Promise<void>>()
  #isAwake = false
  #wake = () => {}
  #pausedUntil: number | null = null
  /**
   * How long it has waited since something was settled or under way; `null`: something is. Time in which an engine does
   * not answer, so that nobody can work, is no host's doing, and not in it.
   */
  #waitedMs: number | null = null
  #othersUntil = Number.NEGATIVE_INFINITY

  constructor(parts: WorkerParts) {
    this.#parts = parts
  }

  get openHosts(): number {
    return this.#sessions.size
  }

  /** With no host open: how long until one may be. */
  get waitingMs(): number | null {
    if (this.#sessions.size > 0 || this.#pausedUntil === null) return null
    return Math.max(0, this.#pausedUntil - this.#parts.clock.now())
  }

  /** Whether there is room for hosts that nobody waits for: then a session may go on with its own. */
  get hasRoom(): boolean {
    return this.#sessions.size < this.#parts.config.hostsAtOnce
  }

  /** Something may have become due: links were offered, a host was released. */
  wake(): void {
    this.#isAwake = true
    this.#wake()
  }

  async run(): Promise<EndReason> {
    const reason = await this.#work().catch((error) => {
      this.#parts.fail(error)
      return 'stopped' as const
    })
    await Promise.all(this.#sessions)
    return reason
  }

  async #work(): Promise<EndReason> {
    const { draining, limitReached } = this.#parts
    for (;;) {
      if (draining.aborted) return 'stopped'
      if (limitReached()) return 'limit'
      if (await this.#step()) return 'finished'
    }
  }

  /** Leases what is due and waits for what comes next. True: nothing is left. */
  async #step(): Promise<boolean> {
    const { frontier, config, mayLease, isPaused } = this.#parts
    this.#isAwake = false
    const room = mayLease() && !isPaused?.() ? Math.min(config.hostsAtOnce - this.#sessions.size, leaseAtOnce) : 0
    const {
      leases,
      nextDueMs,
      askInMs = nextDueMs,
    } = room > 0 ? await frontier.lease(room, urlsPerLease) : nothingAsked
    for (const lease of leases) this.#start(lease)
    // Timers, commits and sockets must have their turn, whatever the frontier has to give.
    await nextTurn()
    if (leases.length === leaseAtOnce) return false
    if (this.#sessions.size === 0) {
      if (!(await frontier.finished())) {
        if (await this.#giveUp(nextDueMs)) return false
      } else if (this.#parts.staysOpen) {
        this.#waitedMs = null
      } else return true
    }
    await this.#pause(askInMs)
    return false
  }

  /** Whether hosts that ask for too much patience were given up, since nobody has anything else to do. */
  async #giveUp(nextDueMs: number | null): Promise<boolean> {
    const { frontier, maxWaitMs, isPaused } = this.#parts
    if (isPaused?.() || (await this.#othersAreAtWork())) {
      this.#waitedMs = null
      return false
    }
    this.#waitedMs ??= 0
    const patienceMs = maxWaitMs - this.#waitedMs
    return (nextDueMs ?? 0) > patienceMs && (await frontier.abandon(Math.max(0, patienceMs))) > 0
  }

  /** Who was at work a moment ago is taken to be so still: asking costs more than it matters. */
  async #othersAreAtWork(): Promise<boolean> {
    const { frontier, clock, maxWaitMs } = this.#parts
    if (clock.now() < this.#othersUntil) return true
    if ((await frontier.underWay()) === 0) return false
    this.#othersUntil = clock.now() + Math.min(mostTrustMs, maxWaitMs / 4)
    return true
  }

  #start(lease: HostLease): void {
    const session = this.#parts.runSession(lease).then((settledAny) => {
      if (settledAny) this.#waitedMs = null
      this.#sessions.delete(session)
      this.wake()
    })
    this.#sessions.add(session)
  }

  async #pause(askInMs: number | null): Promise<void> {
    const { clock, alarms, draining, lookAgainMs } = this.#parts
    if (this.#isAwake || draining.aborted) return
    const dueMs = Math.min(askInMs ?? idlePauseMs, lookAgainMs)
    const since = clock.now()
    const until = since + Math.max(minPauseMs, dueMs)
    this.#pausedUntil = until
    await new Promise<void>((resolve) => {
      const alarm = alarms.at(until, resolve)
      this.#wake = () => {
        alarm.cancel()
        resolve()
      }
    })
    this.#pausedUntil = null
    this.#wake = () => {}
    if (this.#waitedMs !== null) this.#waitedMs += Math.min(clock.now(), until) - since
  }
}

const nothingAsked: LeaseAnswer = { leases: [], nextDueMs: null }
const leaseAtOnce = 50
export const urlsPerLease = 10
const minPauseMs = 2
const mostTrustMs = 3000
const idlePauseMs = 1000
