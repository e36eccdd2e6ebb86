import type { HostEntry, HostSort } from './ledger.ts'

/** As readers of the ledger see it. */
export function entryOf({ host, counts, gapMs, nextTouchAt, hold, sunk }: HostEntry): HostEntry {
  return { host, counts, gapMs, nextTouchAt, hold, sunk }
}

const sortValues: Readonly<Record<Exclude<HostSort, 'name'>, (host: HostEntry) => number>> = {
  urls: ({ counts }) => counts.admitted,
  queued: ({ counts }) => counts.queued,
  done: ({ counts }) => counts.done,
  dead: ({ counts }) => counts.dead,
  excluded: ({ counts }) => counts.excluded,
  gap: ({ gapMs }) => gapMs,
  next: ({ nextTouchAt }) => nextTouchAt,
}

/** The first hosts in some order, kept while others pass by: never more than twice as many as asked for. */
export class FirstHosts {
  readonly #limit: number
  readonly #compare: (a: HostEntry, b: HostEntry) => number
  #hosts: HostEntry[] = []

  constructor(limit: number, sort: HostSort, order: 'asc' | 'desc') {
    this.#limit = limit
    const direction = order === 'asc' ? 1 : -1
    const byName = (a: HostEntry, b: HostEntry) => (a.host < b.host ? -1 : 1)
    const measure = sort === 'name' ? undefined : sortValues[sort]
    this.#compare = measure
      ? (a, b) => direction * (measure(a) - measure(b)) || byName(a, b)
      : (a, b) => direction * byName(a, b)
  }

  see(host: HostEntry): void {
    this.#hosts.push(entryOf(host))
    if (this.#hosts.length >= 2 * this.#limit + 16) this.#hosts = this.first
  }

  get first(): HostEntry[] {
    return this.#hosts.toSorted(this.#compare).slice(0, this.#limit)
  }
}
