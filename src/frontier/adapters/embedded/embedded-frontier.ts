import { readFileSync } from 'node:fs'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../embedded/database.ts'
import type { Pace } from '../../../politeness/pace.ts'
import type { Facts } from '../../../store/facts.ts'
import type { TrapConfig } from '../../../url/config.ts'
import type { HostKey } from '../../../url/keys.ts'
import { type BandCounts, type BandNumber, bands } from '../../bands.ts'
import type { FrontierConfig } from '../../config.ts'
import type {
  Admission,
  Candidate,
  CrawlRequest,
  Frontier,
  FrontierCounts,
  Hold,
  HostLease,
  HostReport,
  LeaseAnswer,
  Readmission,
  Settled,
  Sums,
} from '../../frontier.ts'
import type { DeadLetters } from '../../ledger.ts'
import { afterPage } from '../../sinking.ts'
import { Admissions } from './admissions.ts'
import { giveUpBeyond } from './give-up.ts'
import { type HostState, Hosts } from './hosts.ts'
import { IdQueues } from './id-queues.ts'
import { KeptSums } from './kept-sums.ts'
import { LiveDeadLetters } from './live-dead-letters.ts'
import { type OpenLease, OpenLeases, type OpenUrl } from './open-leases.ts'
import { ReadyHosts } from './ready-hosts.ts'
import { restoreSeen } from './restore-seen.ts'
import { Revisits } from './revisits.ts'
import { Seen } from './seen.ts'
import { TimeHeap } from './time-heap.ts'
import { storedTotals, type Totals } from './totals.ts'
import { stored, UrlRows } from './url-rows.ts'

export interface EmbeddedFrontierOptions {
  readonly database: Database
  readonly facts: Facts
  readonly clock: Clock
  readonly config: FrontierConfig
  /** How many URLs of one shape sites may have. Left out: as many as they like. */
  readonly traps?: TrapConfig
  readonly fingerprint: (url: string) => number
  /** File of the Bloom filter. */
  readonly filterFile: string
  readonly initialPace: (host: HostKey) => Pace
}

/**
 * The frontier inside one process: URLs in SQLite in order of arrival, and in memory no more than what decides who is
 * next: ids of the queued, hosts with work, the filter. All that is in memory can be made anew from the rows.
 */
export class EmbeddedFrontier implements Frontier {
  /** For whoever looks after the crawl while it runs. */
  readonly deadLetters: DeadLetters
  readonly #database: Database
  readonly #facts: Facts
  readonly #clock: Clock
  readonly #config: FrontierConfig
  readonly #queues: IdQueues
  readonly #rows: UrlRows
  readonly #hosts: Hosts
  readonly #ready: ReadyHosts
  readonly #admissions: Admissions
  readonly #filter: AsyncDisposable
  /** Ids whose retry is put off. */
  readonly #delayed = new TimeHeap()
  readonly #leases: OpenLeases
  readonly #totals: Totals
  readonly #sums: KeptSums
  readonly #revisits: Revisits
  #leased = 0

  constructor(options: EmbeddedFrontierOptions) {
    const { database, facts, clock, config, fingerprint } = options
    database.define(readFileSync(new URL('./schema.sql', import.meta.url), 'utf8'))
    this.#database = database
    this.#facts = facts
    this.#clock = clock
    this.#config = config
    this.#rows = new UrlRows(database)
    this.#queues = new IdQueues(database)
    const now = clock.now()
    const openings = facts.number('frontier.opening')
    const lastRun = openings === 0 ? null : { closedAt: facts.number('frontier.closedAt') || null, reopenedAt: now }
    this.#hosts = new Hosts(database, this.#queues, options.initialPace, lastRun)
    this.#ready = new ReadyHosts(this.#hosts, this.#queues, config.bandWeights)
    const seen = new Seen(database, facts)
    this.#totals = storedTotals(database)
    this.#sums = new KeptSums(database, facts)
    this.#leases = new OpenLeases(openings + 1)
    facts.set('frontier.opening', openings + 1)
    facts.set('frontier.closedAt', 0)
    this.#restore(now)
    const parts = {
      ...{ database, clock, rows: this.#rows, hosts: this.#hosts },
      ...{ queues: this.#queues, ready: this.#ready, totals: this.#totals },
    }
    this.#admissions = new Admissions({ ...parts, config, traps: options.traps, fingerprint, seen })
    this.deadLetters = new LiveDeadLetters(parts)
    this.#revisits = new Revisits({ ...parts, idOf: (url) => seen.find(url, fingerprint(url)) })
    this.#filter = restoreSeen({ ...options, seen, rows: this.#rows, expectedUrls: config.expectedUrls })
  }

  async offer(candidates: readonly Candidate[]): Promise<readonly Admission[]> {
    return this.#admissions.offer(candidates)
  }

  async lease(maxHosts: number, maxUrls: number): Promise<LeaseAnswer> {
    const now = this.#clock.now()
    this.#expire(now)
    this.#wakeDelayed(now)
    const leases: HostLease[] = []
    while (leases.length < maxHosts) {
      const next = this.#ready.takeHost(now)
      if (!next) break
      leases.push(this.#grant(next, maxUrls, now))
    }
    return { leases, nextDueMs: this.#nextDueMs(now) }
  }

  async renew(lease: HostLease, maxUrls: number): Promise<HostLease | 'lease-lost'> {
    const held = this.#held(lease)
    if (!held) return 'lease-lost'
    const now = this.#clock.now()
    held.expiresAt = now + this.#config.leaseMs
    const requests = this.#take(held, maxUrls)
    return { ...lease, expiresAt: held.expiresAt, waitMs: 0, requests }
  }

  async settle(lease: HostLease, visits: readonly Settled[], hold?: Hold): Promise<'settled' | 'lease-lost'> {
    const held = this.#held(lease)
    if (!held) return 'lease-lost'
    if (hold) this.#hold(held.host, hold)
    for (const visit of visits) {
      const url = held.open.get(visit.url)
      if (url === undefined) continue
      held.open.delete(visit.url)
      this.#end(held.host, url, visit)
    }
    this.#hosts.changed(held.host)
    return 'settled'
  }

  async release(lease: HostLease, report: HostReport, orGoOnWith = 0): Promise<'released' | 'lease-lost' | HostLease> {
    const held = this.#held(lease)
    if (!held) return 'lease-lost'
    const renewed = orGoOnWith > 0 ? await this.renew(lease, orGoOnWith) : undefined
    if (typeof renewed === 'object' && renewed.requests.length > 0) return renewed
    const now = this.#clock.now()
    const { touchedMsAgo, pace, hold } = report
    held.host.pace = pace
    if (touchedMsAgo !== null) held.host.leaveAlone(now - touchedMsAgo + pace.gapMs)
    if (hold) this.#hold(held.host, hold)
    this.#giveBack(held, now)
    return 'released'
  }

  async abandon(patienceMs: number): Promise<number> {
    const now = this.#clock.now()
    return giveUpBeyond(now + patienceMs, now, {
      ...{ hosts: this.#hosts, queues: this.#queues, ready: this.#ready, rows: this.#rows, delayed: this.#delayed },
      end: (host, id, reason) => this.#settleRow(host, { id, band: this.#rows.whereabouts(id).band }, 'dead', reason),
    })
  }

  async revisit(candidates: readonly Candidate[]): Promise<readonly Readmission[]> {
    return candidates.map(({ url }) => this.#revisits.begin(url))
  }

  async revisiting(): Promise<number> {
    return this.#revisits.open
  }

  /** URLs that are queued or leased, by band. */
  openByBand(): BandCounts {
    const [high, medium, low] = this.#totals.byBand
    return { high, medium, low }
  }

  async counts(): Promise<FrontierCounts> {
    const { open, done, excluded, dead } = this.#totals
    const leased = this.#leased
    return { admitted: open + done + excluded + dead, queued: open - leased, leased, done, excluded, dead }
  }

  async sums(): Promise<Sums> {
    return this.#sums.all()
  }

  async add(adds: Sums): Promise<void> {
    this.#database.write()
    this.#sums.add(adds)
  }

  async underWay(): Promise<number> {
    return this.#leased
  }

  async finished(): Promise<boolean> {
    return this.#totals.open === 0
  }

  async sync(): Promise<void> {
    this.#database.commit()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const now = this.#clock.now()
    for (const held of this.#leases.all()) {
      held.host.leaveAlone(now + held.host.pace.gapMs)
      this.#giveBack(held, now)
    }
    this.#facts.set('frontier.closedAt', now)
    this.#database.commit()
    await this.#filter[Symbol.asyncDispose]()
  }

  #grant(host: HostState, maxUrls: number, now: number): HostLease {
    const held = this.#leases.grant(host, now + this.#config.leaseMs)
    host.hold = null
    const { key, pace } = host
    const { generation, expiresAt } = held
    const quietMs = now - host.nextTouchAt
    return { host: key, generation, expiresAt, waitMs: 0, quietMs, pace, requests: this.#take(held, maxUrls) }
  }

  #take(held: OpenLease, maxUrls: number): CrawlRequest[] {
    const requests: CrawlRequest[] = []
    while (requests.length < maxUrls) {
      const id = this.#ready.takeUrl(held.host)
      if (id === undefined) break
      const request = this.#rows.request(id)
      held.open.set(request.url, { id, band: bands.indexOf(request.priority) as BandNumber })
      requests.push(this.#revisits.has(id) ? { ...request, isRevisit: true } : request)
    }
    held.host.leased += requests.length
    this.#leased += requests.length
    return requests
  }

  #held(lease: HostLease): OpenLease | undefined {
    return this.#leases.held(this.#hosts.byKey(lease.host).id, lease.generation, this.#clock.now())
  }

  #hold(host: HostState, { ms, reason }: Hold): void {
    const until = this.#clock.now() + ms
    if (until >= host.nextTouchAt) host.hold = reason
    host.leaveAlone(until)
    this.#hosts.changed(host)
    // A server that asked for rest must get it also if we crash now.
    if (reason === 'retry-after') this.#database.hasten()
  }

  #end(host: HostState, url: OpenUrl, visit: Settled): void {
    host.leased--
    this.#leased--
    if (visit.adds) this.#sums.add(visit.adds)
    switch (visit.kind) {
      case 'done':
        if (visit.nearDuplicate !== undefined) host.novelty = afterPage(host.novelty, visit.nearDuplicate)
        this.#settleRow(host, url, 'done', null)
        break
      case 'excluded':
      case 'dead':
        this.#settleRow(host, url, visit.kind, visit.reason)
        break
      case 'retry':
        this.#putOff(url.id, this.#clock.now() + visit.afterMs, visit.reason)
        break
      default:
        visit satisfies never
    }
  }

  #putOff(id: number, dueAt: number, reason: string): void {
    this.#database.write()
    this.#rows.putOff(id, dueAt, reason)
    this.#delayed.push(dueAt, id)
  }

  #settleRow(host: HostState, { id, band }: OpenUrl, state: 'done' | 'excluded' | 'dead', reason: string | null): void {
    this.#database.write()
    this.#rows.end(id, stored[state], reason)
    this.#revisits.end(id, state)
    host.open--
    host[state]++
    this.#totals.open--
    this.#totals.byBand[band]--
    this.#totals[state]++
  }

  #giveBack(held: OpenLease, now: number): void {
    const { host } = held
    this.#leases.end(held)
    if (held.open.size > 0) host.giveBack(held.open.values().map(({ id }) => id))
    host.leased -= held.open.size
    this.#leased -= held.open.size
    host.place = 'idle'
    this.#hosts.changed(host)
    this.#ready.place(host, now)
  }

  #expire(now: number): void {
    for (const held of this.#leases.expired(now)) {
      held.host.leaveAlone(now + held.host.pace.gapMs)
      this.#giveBack(held, now)
    }
  }

  #wakeDelayed(now: number): void {
    for (let id = this.#delayed.popDue(now); id !== undefined; id = this.#delayed.popDue(now)) {
      const host = this.#hosts.byId(this.#rows.whereabouts(id).host)
      host.hasten(id)
      this.#ready.place(host, now)
    }
  }

  #nextDueMs(now: number): number | null {
    const moments = [this.#ready.nextAt, this.#delayed.firstAt, this.#leases.nextExpiry].filter(
      (at) => at !== undefined,
    )
    return moments.length === 0 ? null : Math.max(0, Math.min(...moments) - now)
  }

  #restore(now: number): void {
    this.#database.write()
    this.#database.prepare('DELETE FROM queue_chunk').run()
    this.#hosts.loadOpen()
    for (const { id, host, band, dueAt } of this.#rows.queued()) {
      this.#totals.byBand[band]++
      if (dueAt !== null) this.#delayed.push(dueAt, id)
      else this.#hosts.byId(host).enqueue(id, band, this.#queues)
    }
    for (const host of this.#hosts.loaded()) this.#ready.place(host, now)
  }
}
