import type { Clock } from '../clock.ts'
import type { Counters, Operations } from '../orchestrator/operations.ts'
import { version } from '../version.ts'
import type { Overview, Snapshot, Vitals } from './api/schemas/overview.ts'
import type { Worker } from './api/schemas/worker.ts'
import { inTime } from './limits.ts'
import { Pulse } from './pulse.ts'

const watchedEveryMs = 1000
const unwatchedEveryMs = 5000
/** Engines that take longer are away; those who watch are told, and soon enough not to take us for gone. */
const answerMs = 3000
/** A look that is under way, or due in a moment, is not overtaken. */
const lateMs = 250
const historyStepMs = 5000
const historyLength = 720

export interface WatchOptions {
  readonly operations: Operations
  readonly clock: Clock
  readonly alertsFiring: () => number
  /** Counters could not be read, or could be read again. */
  readonly log: (line: string) => void
}

/**
 * Looks at the counters, once for all who watch: every second while somebody does, every five seconds otherwise. Keeps the
 * last hour.
 */
export class Watch implements AsyncDisposable {
  readonly #options: WatchOptions
  readonly #pulse = new Pulse()
  readonly #viewers = new Set<(snapshot: Snapshot) => void>()
  readonly #history: Vitals[] = []
  readonly #closed = new AbortController()
  #isAwake = new AbortController()
  #counters: Counters = { crawls: [], workers: [] }
  #latest: Snapshot
  #overview: Overview | undefined
  #fault = ''
  #looks = 0
  #looking: Promise<void> | undefined
  #asking: Promise<Counters> | undefined
  readonly #watching: Promise<void>

  constructor(options: WatchOptions) {
    this.#options = options
    this.#latest = this.#pulse.look(this.#counters, options.clock.now(), 0)
    this.#watching = this.#keepLooking()
  }

  /** Hardly older than a second: for those who ask once. While somebody follows there is always one of that age. */
  async fresh(): Promise<Snapshot> {
    if (this.#options.clock.now() - this.#latest.at > watchedEveryMs + lateMs) await this.#look()
    return this.#latest
  }

  /** What the snapshot was made of. */
  async counters(): Promise<Counters> {
    await this.fresh()
    return this.#counters
  }

  get latest(): Snapshot {
    return this.#latest
  }

  /** How many snapshots were made. */
  get looks(): number {
    return this.#looks
  }

  /** The same object until the next look: it is put into words once for all who ask meanwhile. */
  async overview(): Promise<Overview> {
    const now = await this.fresh()
    if (this.#overview?.now !== now) {
      const { kind } = this.#options.operations
      this.#overview = { kind, version, now, stepMs: historyStepMs, history: [...this.#history] }
    }
    return this.#overview
  }

  get history(): Overview['history'] {
    return this.#history
  }

  workers(): readonly Worker[] {
    return this.#pulse.workers
  }

  /** Calls with each snapshot from now on; answers how to stop. */
  follow(show: (snapshot: Snapshot) => void): () => void {
    this.#viewers.add(show)
    if (this.#viewers.size === 1) this.#isAwake.abort()
    return () => void this.#viewers.delete(show)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort()
    await this.#watching
  }

  async #keepLooking(): Promise<void> {
    const { clock } = this.#options
    while (!this.#closed.signal.aborted) {
      await this.#look()
      const everyMs = this.#viewers.size > 0 ? watchedEveryMs : unwatchedEveryMs
      this.#isAwake = new AbortController()
      await clock.sleep(everyMs, AbortSignal.any([this.#closed.signal, this.#isAwake.signal]))
    }
  }

  /** Whoever asks while one is under way waits for that one. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #lookNow(): Promise<void> {
    const { clock, alertsFiring, log } = this.#options
    try {
      this.#counters = await inTime(this.#ask(), answerMs, '')
      if (this.#fault !== '') log('Counters can be read again.')
      this.#fault = ''
    } catch (error) {
      const fault = `Counters cannot be read: ${(error as Error).message}`
      if (fault !== this.#fault) log(fault)
      this.#fault = fault
      this.#tell({ ...this.#latest, fault })
      return
    }
    this.#looks++
    this.#tell(this.#pulse.look(this.#counters, clock.now(), alertsFiring()))
    this.#remember(this.#latest)
  }

  #tell(snapshot: Snapshot): void {
    this.#latest = snapshot
    for (const show of this.#viewers) show(snapshot)
  }

  /** One question at a time, however long the engines take. */
  #ask(): Promise<Counters> {
    this.#asking ??= this.#options.operations.counters().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  #remember({ crawls: _c, workerList: _w, alertsFiring: _a, fault: _f, ...vitals }: Snapshot): void {
    const last = this.#history.at(-1)
    // A little early is on time: looks are not quite as regular as steps.
    if (last && vitals.at - last.at < historyStepMs * 0.9) return
    this.#history.push(vitals)
    if (this.#history.length > historyLength) this.#history.shift()
  }
}
