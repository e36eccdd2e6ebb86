import type { Clock } from '../clock.ts'
import type { CrawlRequest, Frontier, HostLease, HostReport } from '../frontier/frontier.ts'
import { lostLeases } from '../monitor/events.ts'
import type { Alarm, Alarms } from './alarms.ts'
import { urlsPerLease } from './worker.ts'

export interface HeldLeaseParts {
  readonly frontier: Frontier
  readonly clock: Clock
  readonly alarms: Alarms
  readonly fail: (error: unknown) => void
  /** When the oldest visit that is under way began; `undefined`: none is. */
  readonly oldestVisit: () => number | undefined
}

/** Nothing is begun so long before a lease expires, or a quarter of it if that is less: most of it is settled in time. */
const maxRestMs = 5_000
/** Nothing is sent in the second half of this time before it expires, or of a quarter of it if that is less. */
const maxMarginMs = 2_000
const minKeepMs = 100
/** A visit that is younger is most likely settled in a moment: the lease need not be renewed for it, if it is a long one. */
const youngMs = 3_000

/** The lease of a session: kept while visits are under way, given further URLs, and handed back in the end. */
export class HeldLease {
  readonly #parts: HeldLeaseParts
  #halfMs: number
  #lease: HostLease
  #keeping: Alarm | undefined
  #renewing: Promise<void> | undefined
  #isLeaving = false
  #isLost = false
  #hadMore: boolean

  constructor(lease: HostLease, parts: HeldLeaseParts) {
    this.#parts = parts
    this.#lease = lease
    this.#halfMs = (lease.expiresAt - parts.clock.now()) / 2
    this.#hadMore = lease.requests.length >= urlsPerLease
  }

  get current(): HostLease {
    return this.#lease
  }

  /** Nothing is to be begun after that. */
  get endsAt(): number {
    return this.#lease.expiresAt - Math.min(maxRestMs, this.#halfMs / 2)
  }

  /** What goes out later is answered when the lease may be over. Half of the margin is for names and connections. */
  get sendBefore(): number {
    return this.#lease.expiresAt - Math.min(maxMarginMs, this.#halfMs / 2) / 2
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** The frontier gave as many URLs as it was asked for. */
  get hadMore(): boolean {
    return this.#hadMore
  }

  lose(): void {
    if (!this.#isLost) lostLeases.tell({ host: this.#lease.host })
    this.#isLost = true
  }

  /** Answers further URLs. */
  async renew(maxUrls: number): Promise<readonly CrawlRequest[]> {
    const askedAt = this.#parts.clock.now()
    const renewed = await this.#parts.frontier.renew(this.#lease, maxUrls)
    if (renewed !== 'lease-lost') return this.#goOn(renewed, maxUrls, askedAt)
    this.lose()
    return []
  }

  /** Ends it, unless it is worth going on: then answers with which URLs. */
  async leave(report: HostReport, orGoOnWith: number): Promise<readonly CrawlRequest[] | undefined> {
    this.#isLeaving = true
    const askedAt = this.#parts.clock.now()
    const answer = await this.#parts.frontier.release(this.#lease, report, orGoOnWith)
    if (typeof answer === 'string') return undefined
    this.#isLeaving = false
    return this.#goOn(answer, orGoOnWith, askedAt)
  }

  /**
   * Visits may outlast the lease: a large body that flows slowly, a hook or an engine that takes its time. It is renewed
   * when half of it is over, for young visits three quarters; the rest is for a machine that stalls, since what is not
   * settled in time is fetched again. To be called when one begins: nothing has to be kept while nothing is under way, and thousands of hosts wait
   * for their pace.
   */
  keep(): void {
    if (!this.#keeping) this.#keepUntil(this.#lease.expiresAt - this.#halfMs)
  }

  async close(): Promise<void> {
    await this.#renewing
    this.#keeping?.cancel()
  }

  #keepUntil(moment: number): void {
    const { alarms, clock } = this.#parts
    this.#keeping = alarms.at(Math.max(moment, clock.now() + minKeepMs), () => {
      const renewAt = this.#renewAt()
      if (renewAt === undefined || this.#isLeaving) this.#keeping = undefined
      else if (clock.now() < renewAt) this.#keepUntil(renewAt)
      else this.#renewing = this.#renewKept()
    })
  }

  #renewAt(): number | undefined {
    const oldest = this.#parts.oldestVisit()
    if (oldest === undefined) return undefined
    const quarterMs = this.#halfMs / 2
    const patienceMs = quarterMs > youngMs ? youngMs : 0
    const halfOver = this.#lease.expiresAt - this.#halfMs
    return Math.min(Math.max(halfOver, oldest + patienceMs), halfOver + quarterMs)
  }

  async #renewKept(): Promise<void> {
    try {
      await this.renew(0)
      if (!this.#isLost) this.#keepUntil(this.#lease.expiresAt - this.#halfMs)
    } catch (error) {
      this.#parts.fail(error)
    }
  }

  #goOn(renewed: HostLease, maxUrls: number, askedAt: number): readonly CrawlRequest[] {
    this.#lease = renewed
    this.#halfMs = (renewed.expiresAt - askedAt) / 2
    if (maxUrls > 0) this.#hadMore = renewed.requests.length >= maxUrls
    return renewed.requests
  }
}
