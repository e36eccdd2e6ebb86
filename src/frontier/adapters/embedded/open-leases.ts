import type { CanonicalUrl } from '../../../url/keys.ts'
import type { BandNumber } from '../../bands.ts'
import type { HostState } from './hosts.ts'
import { TimeHeap } from './time-heap.ts'

export interface OpenLease {
  readonly host: HostState
  readonly generation: number
  expiresAt: number
  /** Those handed out and not settled. */
  readonly open: Map<CanonicalUrl, OpenUrl>
}

export interface OpenUrl {
  readonly id: number
  readonly band: BandNumber
}

/** The leases that are held now, in memory only. Of each host at most one entry waits for its expiry. */
export class OpenLeases {
  readonly #byHost = new Map<number, OpenLease>()
  readonly #expiries = new TimeHeap()
  readonly #waiting = new Set<number>()
  #generation: number

  /** Generations begin with the number of the opening, so that none repeats after a crash. */
  constructor(opening: number) {
    this.#generation = opening * 2 ** 32
  }

  grant(host: HostState, expiresAt: number): OpenLease {
    const lease = { host, generation: ++this.#generation, expiresAt, open: new Map() }
    this.#byHost.set(host.id, lease)
    if (!this.#waiting.has(host.id)) this.#await(lease)
    return lease
  }

  /** The lease of that host and generation, if it is held still. */
  held(hostId: number, generation: number, now: number): OpenLease | undefined {
    const lease = this.#byHost.get(hostId)
    return lease?.generation === generation && lease.expiresAt > now ? lease : undefined
  }

  end(lease: OpenLease): void {
    this.#byHost.delete(lease.host.id)
  }

  all(): OpenLease[] {
    return [...this.#byHost.values()]
  }

  /** Those that nobody renewed in time. */
  expired(now: number): OpenLease[] {
    const found: OpenLease[] = []
    for (let id = this.#expiries.popDue(now); id !== undefined; id = this.#expiries.popDue(now)) {
      this.#waiting.delete(id)
      const lease = this.#byHost.get(id)
      if (lease && lease.expiresAt > now) this.#await(lease)
      else if (lease) found.push(lease)
    }
    return found
  }

  /** When the next one may expire. Entries of leases that have ended are dropped on the way. */
  get nextExpiry(): number | undefined {
    for (let id = this.#expiries.first; id !== undefined; id = this.#expiries.first) {
      if (this.#byHost.has(id)) return this.#expiries.firstAt
      this.#expiries.popDue(Number.POSITIVE_INFINITY)
      this.#waiting.delete(id)
    }
    return undefined
  }

  #await({ host, expiresAt }: OpenLease): void {
    this.#expiries.push(expiresAt, host.id)
    this.#waiting.add(host.id)
  }
}
