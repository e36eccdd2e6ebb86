import type { Layout } from './layout.ts'

/** What was asked of the site since the last reset. */
export interface Counts {
  readonly requests: number
  /** Different pages that were sent. */
  readonly pages: number
  /** Pages that nobody asked for. */
  readonly missing: number
  /** Requests for pages beyond the first for each. */
  readonly repeats: number
  readonly robots: number
  /** Requests for what the site does not have, by path; further ones without their names. */
  readonly others: Readonly<Record<string, number>>
  readonly otherRequests: number
  readonly connections: number
  readonly bytesSent: number
}

/** The pace at which a host was asked for pages. */
export interface HostPace {
  readonly host: string
  readonly requests: number
  readonly firstAtMs: number
  readonly lastAtMs: number
  /** Shortest time between two requests for pages; null until there were two. */
  readonly minGapMs: number | null
}

const maxOthers = 1000

export class Visits {
  readonly #layout: Layout
  readonly #pages: Uint32Array
  readonly #firstAtMs: Float64Array
  readonly #lastAtMs: Float64Array
  readonly #minGapMs: Float64Array
  readonly #hostRequests: Uint32Array
  readonly #others = new Map<string, number>()
  #requests = 0
  #robots = 0
  #otherRequests = 0
  connections = 0
  bytesSent = 0

  constructor(layout: Layout) {
    this.#layout = layout
    this.#pages = new Uint32Array(layout.pages)
    this.#firstAtMs = new Float64Array(layout.hosts)
    this.#lastAtMs = new Float64Array(layout.hosts)
    this.#minGapMs = new Float64Array(layout.hosts)
    this.#hostRequests = new Uint32Array(layout.hosts)
    this.reset()
  }

  page(host: number, page: number, nowMs: number): void {
    this.#requests++
    this.#pages[this.#layout.numberOf(host, page)]!++
    if (this.#hostRequests[host]!++ === 0) this.#firstAtMs[host] = nowMs
    else this.#minGapMs[host] = Math.min(this.#minGapMs[host]!, nowMs - this.#lastAtMs[host]!)
    this.#lastAtMs[host] = nowMs
  }

  robots(): void {
    this.#requests++
    this.#robots++
  }

  other(path: string): void {
    this.#requests++
    this.#otherRequests++
    const count = this.#others.get(path)
    if (count !== undefined || this.#others.size < maxOthers) this.#others.set(path, (count ?? 0) + 1)
  }

  counts(): Counts {
    let pages = 0
    let repeats = 0
    for (const count of this.#pages) {
      if (count > 0) pages++
      if (count > 1) repeats += count - 1
    }
    return {
      requests: this.#requests,
      pages,
      missing: this.#pages.length - pages,
      repeats,
      robots: this.#robots,
      others: Object.fromEntries(this.#others),
      otherRequests: this.#otherRequests,
      connections: this.connections,
      bytesSent: this.bytesSent,
    }
  }

  paces(nameOf: (host: number) => string): HostPace[] {
    return Array.from(this.#hostRequests, (requests, host) => ({
      host: nameOf(host),
      requests,
      firstAtMs: this.#firstAtMs[host]!,
      lastAtMs: this.#lastAtMs[host]!,
      minGapMs: requests > 1 ? this.#minGapMs[host]! : null,
    }))
  }

  reset(): void {
    this.#pages.fill(0)
    this.#hostRequests.fill(0)
    this.#minGapMs.fill(Number.POSITIVE_INFINITY)
    this.#others.clear()
    this.#requests = this.#robots = this.#otherRequests = this.connections = this.bytesSent = 0
  }
}
