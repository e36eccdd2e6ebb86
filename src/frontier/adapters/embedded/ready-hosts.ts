import { type BandNumber, BandShares, bandNumbers } from '../../bands.ts'
import type { HostState, Hosts } from './hosts.ts'
import type { IdQueues } from './id-queues.ts'
import { TimeHeap } from './time-heap.ts'

/**
 * Which host is next: a heap of those that wait for their moment, and for each band a list, first come first served, of
 * those that may be touched. Entries are not searched for and removed when a host moves on; they are found stale when
 * they come up.
 */
export class ReadyHosts {
  readonly #hosts: Hosts
  readonly #waiting = new TimeHeap()
  readonly #queues: IdQueues
  /** For each band a queue of host ids. */
  readonly #ready: readonly number[]
  readonly #shares: BandShares

  constructor(hosts: Hosts, queues: IdQueues, weights: readonly number[]) {
    this.#hosts = hosts
    this.#queues = queues
    this.#ready = bandNumbers.map(() => queues.create())
    this.#shares = new BandShares(weights)
  }

  /** Puts a host where it belongs, after anything about it has changed. */
  place(host: HostState, now: number): void {
    if (host.place === 'leased') return
    if (!host.hasWaiting(this.#queues)) {
      host.place = 'idle'
    } else if (host.nextTouchAt > now) {
      if (host.place !== 'waiting') this.#waiting.push(host.nextTouchAt, host.id)
      host.place = 'waiting'
    } else {
      host.place = 'ready'
      for (const band of bandNumbers) if (this.#offers(host, band)) this.#list(host, band)
    }
  }

  /** The next host that may be touched, with the band whose turn it is; it is leased from now on. */
  take(now: number): { host: HostState; band: BandNumber } | undefined {
    this.#wake(now)
    for (;;) {
      const band = this.#shares.next((candidate) => this.#queues.length(this.#ready[candidate]!) > 0)
      if (band === undefined) return undefined
      const host = this.#hosts.byId(this.#queues.shift(this.#ready[band]!)!)
      host.readyBands &= ~(1 << band)
      if (host.place !== 'ready' || !this.#offers(host, band)) continue
      host.place = 'leased'
      return { host, band }
    }
  }

  served(host: HostState, band: BandNumber): void {
    this.#shares.serve(host.sunk ? 2 : band, 1)
  }

  get nextAt(): number | undefined {
    return this.#waiting.firstAt
  }

  #wake(now: number): void {
    for (let id = this.#waiting.popDue(now); id !== undefined; id = this.#waiting.popDue(now)) {
      const host = this.#hosts.byId(id)
      if (host.place !== 'waiting') continue
      host.place = 'idle'
      this.place(host, now)
    }
  }

  #offers(host: HostState, band: BandNumber): boolean {
    if (host.sunk) return band === 2 && host.hasWaiting(this.#queues)
    return host.waitingIn(band, this.#queues) > 0 || (band === 0 && host.hasReturned)
  }

  #list(host: HostState, band: BandNumber): void {
    if (host.readyBands & (1 << band)) return
    host.readyBands |= 1 << band
    this.#queues.push(this.#ready[band]!, host.id)
  }
}
