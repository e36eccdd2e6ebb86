import type { Counters, CrawlCounters, WorkerCounters } from '../orchestrator/operations.ts'
import type { CrawlPulse, Snapshot, Vitals } from './api/schemas/overview.ts'
import type { Worker } from './api/schemas/worker.ts'
import { Rises } from './rises.ts'

/** Rates are of so long, shares and errors of a minute. */
const rateMs = 5_000
const shareMs = 60_000
const mostListed = 50

const summed = [
  'pages',
  'duplicates',
  'nearDuplicates',
  'redirects',
  'others',
  'failures',
  'revisits',
  'requests',
  'bytes',
] as const
type Total = (typeof summed)[number] | 'errors' | 'parseFailures'

/** Counters, looked at again and again → how fast they rise: what the overview shows. */
export class Pulse {
  readonly #totals = new Rises<Total | `error.${string}`>(shareMs)
  readonly #crawls = new Map<string, Rises<'pages' | 'ended'>>()
  readonly #workers = new Map<string, Rises<'pages' | 'cpuMs' | 'bytes'>>()

  #listed: readonly Worker[] = []

  look({ crawls, workers }: Counters, at: number, alertsFiring: number): Snapshot {
    for (const crawl of crawls) this.#count(crawl)
    this.#totals.keepOnly(new Set(crawls.map(({ id }) => id)))
    this.#totals.mark(at)
    const pulses = crawls.map((crawl) => this.#pulseOf(crawl, at))
    const listed = workers.map((worker) => this.#workerOf(worker, at))
    this.#listed = listed
    forgetOthers(this.#crawls, crawls)
    forgetOthers(this.#workers, workers)
    return {
      ...this.#vitals(crawls, listed, at),
      crawls: pulses.slice(0, mostListed),
      workerList: listed.toSorted((a, b) => (b.pagesPerSecond ?? 0) - (a.pagesPerSecond ?? 0)).slice(0, mostListed),
      alertsFiring,
      fault: null,
    }
  }

  /** All of them, as they were at the last look. */
  get workers(): readonly Worker[] {
    return this.#listed
  }

  #count({ id, tally }: CrawlCounters): void {
    for (const name of summed) this.#totals.see(id, name, tally[name])
    let errors = 0
    for (const [kind, times] of Object.entries(tally.errors)) {
      errors += times
      this.#totals.see(id, `error.${kind}`, times)
    }
    this.#totals.see(id, 'errors', errors)
    this.#totals.see(id, 'parseFailures', tally.errors['reader-died'] ?? 0)
  }

  #vitals(crawls: readonly CrawlCounters[], workers: readonly Worker[], at: number): Vitals {
    const rate = (name: Total) => brief(this.#totals.perSecond(name, rateMs))
    const grown = (name: Total) => this.#totals.grown(name, shareMs)
    const total = (read: (crawl: CrawlCounters) => number) => crawls.reduce((sum, crawl) => sum + read(crawl), 0)
    const known = crawls.every(({ bands }) => bands !== null)
    const isCarriedKnown = crawls.every(({ carried }) => carried !== null)
    const inBand = (band: 'high' | 'medium' | 'low') => (known ? total(({ bands }) => bands![band]) : null)
    const attempts = grown('pages') + grown('redirects') + grown('others') + grown('failures') + grown('revisits')
    const alive = workers.filter((worker) => worker.alive)
    const lags = alive.flatMap(({ storageLagMs }) => storageLagMs ?? [])
    return {
      at,
      pagesPerSecond: rate('pages'),
      requestsPerSecond: rate('requests'),
      bytesPerSecond: rate('bytes'),
      queued: total(({ counts }) => counts.queued),
      leased: total(({ counts }) => counts.leased),
      dead: total(({ counts }) => counts.dead),
      carried: isCarriedKnown ? total(({ carried }) => carried!) : null,
      ...{ high: inBand('high'), medium: inBand('medium'), low: inBand('low') },
      duplicateRate: share(grown('duplicates') + grown('nearDuplicates'), grown('pages')),
      fetchSuccess: share(attempts - grown('errors'), attempts),
      parseSuccess: share(grown('pages'), grown('pages') + grown('parseFailures')),
      storageLagMs: lags.length === 0 ? null : Math.max(...lags),
      errorsPerSecond: rate('errors'),
      errors: this.#errors(),
      workers: alive.length,
      cpuShare: sumKnown(alive.map(({ cpuShare }) => cpuShare)),
      memoryBytes: sumKnown(alive.map(({ memoryBytes }) => memoryBytes)),
    }
  }

  #errors(): Record<string, number> {
    const errors: Record<string, number> = {}
    for (const name of this.#totals.names())
      if (name.startsWith('error.')) {
        const times = this.#totals.grown(name, shareMs)
        if (times > 0) errors[name.slice('error.'.length)] = times
      }
    return errors
  }

  #pulseOf({ id, state, tally, counts, openHosts, maxPages }: CrawlCounters, at: number): CrawlPulse {
    const rises = getOr(this.#crawls, id, () => new Rises<'pages' | 'ended'>(shareMs))
    rises.see('', 'pages', tally.pages)
    rises.see('', 'ended', counts.done + counts.excluded + counts.dead)
    rises.mark(at)
    const ended = rises.perSecond('ended', shareMs)
    const pages = rises.perSecond('pages', shareMs)
    const untilEmpty = timeFor(counts.queued + counts.leased, ended)
    const untilFull = maxPages === 0 ? null : timeFor(maxPages - tally.pages, pages)
    const known = [untilEmpty, untilFull].filter((ms) => ms !== null)
    const timeLeftMs = state !== 'running' || known.length === 0 ? null : Math.min(...known)
    return {
      id,
      state,
      pages: tally.pages,
      counts,
      pagesPerSecond: brief(rises.perSecond('pages', rateMs)),
      openHosts,
      timeLeftMs,
    }
  }

  #workerOf({ cpuMs, rssBytes, receivedBytes, crawls, ...worker }: WorkerCounters, at: number): Worker {
    const rises = getOr(this.#workers, worker.id, () => new Rises<'pages' | 'cpuMs' | 'bytes'>(shareMs))
    rises.see('', 'pages', worker.pages)
    if (cpuMs !== null) rises.see('', 'cpuMs', cpuMs)
    if (receivedBytes !== null) rises.see('', 'bytes', receivedBytes)
    rises.mark(at)
    const perSecond = (name: 'pages' | 'cpuMs' | 'bytes') =>
      rises.isKnown ? brief(rises.perSecond(name, rateMs)) : null
    const cpuPerSecond = cpuMs === null ? null : perSecond('cpuMs')
    return {
      ...worker,
      crawls: [...crawls],
      cpuShare: cpuPerSecond === null ? null : cpuPerSecond / 1000,
      memoryBytes: rssBytes,
      bytesPerSecond: receivedBytes === null ? null : perSecond('bytes'),
      pagesPerSecond: perSecond('pages'),
    }
  }
}

const share = (part: number, whole: number) => (whole <= 0 ? null : brief(Math.min(1, Math.max(0, part / whole))))

/** As many digits as anybody reads: an hour of history is sent to every viewer. */
const brief = (value: number) => Number(value.toPrecision(4))

const timeFor = (left: number, perSecond: number) =>
  perSecond <= 0 ? null : Math.round((Math.max(0, left) / perSecond) * 1000)

function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : brief(known.reduce((sum, value) => sum + value, 0))
}

function getOr<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

function forgetOthers(map: Map<string, unknown>, present: readonly { readonly id: string }[]): void {
  const ids = new Set(present.map(({ id }) => id))
  for (const id of map.keys()) if (!ids.has(id)) map.delete(id)
}
