import { type BandNumber, bandNumbers, Shares } from '../../bands.ts'
import type { HostState, Hosts } from './hosts.ts'
import type { IdQueues } from './id-queues.ts'
import { TimeHeap } from './time-heap.ts'

/** Hosts of near-duplicates have a list of their own, whose share is a hundredth of the bands' together. */
const sunkList = bandNumbers.length
const sunkShare = 0.01
const lists = [...bandNumbers, sunkList]

/**
 * Which host is next: a heap of those that wait for their moment, and for each band a list, first come first served, of
 * those that may be touched. Entries are not searched for and removed when a host moves on; they are found stale when
 * they come up.
 */
export class ReadyHosts {
  readonly #hosts: Hosts
  readonly #waiting = new TimeHeap()
  readonly #queues: IdQueues
  /** For each list a queue of host ids. */
  readonly #ready: readonly number[]
  readonly #shares: Shares

  constructor(hosts: Hosts, queues: IdQueues, weights: readonly number[]) {
    this.#hosts = hosts
    this.#queues = queues
    this.#ready = lists.map(() => queues.create())
    this.#shares = new Shares([...weights, weights.reduce((sum, weight) => sum + weight) * sunkShare])
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
      for (const list of lists) if (this.#offers(host, list)) this.#enlist(host, list)
    }
  }

  /** The next host that may be touched; it is leased from now on. */
  takeHost(now: number): HostState | undefined {
    this.#wake(now)
    for (;;) {
      const list = this.#shares.next((candidate) => this.#queues.length(this.#ready[candidate]!) > 0)
      if (list === undefined) return undefined
      const host = this.#hosts.byId(this.#queues.shift(this.#ready[list]!)!)
      host.readyLists &= ~(1 << list)
      if (host.place !== 'ready' || !this.#offers(host, list)) continue
      host.place = 'leased'
      return host
    }
  }

  /** The next URL of a host, of the band that is furthest behind its share. */
  takeUrl(host: HostState): number | undefined {
    const band = this.#shares.behind((of) => of !== sunkList && host.waitingIn(of as BandNumber, this.#queues) > 0)
    const next = host.take((band ?? 0) as BandNumber, this.#queues)
    if (next && next.band !== null) this.#shares.serve(host.sunk ? sunkList : next.band, 1)
    return next?.id
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

  #offers(host: HostState, list: number): boolean {
    if (host.sunk || list === sunkList) return host.sunk && list === sunkList && host.hasWaiting(this.#queues)
    return host.waitingIn(list as BandNumber, this.#queues) > 0 || (list === 0 && host.hasReturned)
  }

  #enlist(host: HostState, list: number): void {
    if (host.readyLists & (1 << list)) return
    host.readyLists |= 1 << list
    this.#queues.push(this.#ready[list]!, host.id)
  }
}
