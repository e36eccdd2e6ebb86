import type { Clock } from '../clock.ts'
import type { Candidate, Frontier, Readmission } from '../frontier/frontier.ts'
import type { DueVisit, Outlook, RecordStore } from '../store/record-store.ts'
import type { CanonicalUrl, HostKey } from '../url/keys.ts'
import type { Intervals } from './config.ts'

export interface RecrawlParts {
  readonly records: Pick<RecordStore, 'due' | 'putOff'>
  readonly frontier: Pick<Frontier, 'revisit' | 'revisiting' | 'sync'>
  readonly clock: Pick<Clock, 'now'>
  readonly intervals: Intervals
  readonly keyOf: (url: CanonicalUrl) => HostKey
}

const visitsAtOnce = 500
/** With so many handed over, what else is due waits where it is: neither memory nor Redis is the place for it. */
const plentyVisits = 10_000
const dayMs = 86_400_000

/**
 * Hands what is due to the frontier, in batches, until nothing is or there is plenty to do; answers how much. The frontier
 * has it before the record is put off: whoever dies in between leaves a visit that is still due and that the frontier
 * knows already. So it can be repeated, and be done by several at once.
 */
export async function revisitDue(parts: RecrawlParts): Promise<number> {
  const { records, frontier, clock } = parts
  let queued = 0
  while ((await frontier.revisiting()) < plentyVisits) {
    const due = await records.due(clock.now(), visitsAtOnce)
    if (due.length > 0) queued += await handOver(parts, due)
    if (due.length < visitsAtOnce) break
  }
  return queued
}

async function handOver(parts: RecrawlParts, due: readonly DueVisit[]): Promise<number> {
  const { records, frontier, clock, keyOf } = parts
  const readmissions = await frontier.revisit(due.map((visit) => candidateOf(visit, keyOf)))
  await frontier.sync()
  const answered = (...answers: readonly Readmission[]) => due.filter((_, at) => answers.includes(readmissions[at]!))
  await records.putOff(answered('queued', 'waiting'), clock.now() + secondTryMs(parts.intervals))
  await records.putOff(answered('refused'), null)
  return answered('queued').length
}

/**
 * A visit plans the next one. Where none comes of it, since the host was away for too long or an engine has forgotten it,
 * the URL is due once more after this.
 */
const secondTryMs = ({ minMs, maxMs }: Intervals) => Math.max(minMs, Math.min(maxMs, dayMs))

function candidateOf({ url, depth, parent, band }: DueVisit, keyOf: RecrawlParts['keyOf']): Candidate {
  return { url, host: keyOf(url), band, depth, parent, redirects: 0 }
}

export interface RecrawlLoopParts extends RecrawlParts {
  readonly records: Pick<RecordStore, 'due' | 'putOff' | 'outlook'>
  readonly clock: Clock
  /** There is something to visit. */
  readonly onQueued: () => void
}

const soonestMs = 200
const latestMs = 30_000
/** While nothing is planned: a crawl that has just begun soon has something. */
const firstPlanMs = 1000

/** Looks after what is due for as long as a crawl runs. */
export class RecrawlLoop {
  readonly #parts: RecrawlLoopParts
  #outlook: Outlook = { planned: 0, overdue: 0, nextAt: null }

  constructor(parts: RecrawlLoopParts) {
    this.#parts = parts
  }

  /** As of the last look. */
  get outlook(): Outlook {
    return this.#outlook
  }

  async run(signal: AbortSignal): Promise<void> {
    const { records, clock, onQueued } = this.#parts
    while (!signal.aborted) {
      if ((await revisitDue(this.#parts)) > 0) onQueued()
      this.#outlook = await records.outlook(clock.now())
      await clock.sleep(this.#pauseMs(), signal)
    }
    this.#outlook = await records.outlook(clock.now())
  }

  /** What is visited meanwhile may be due sooner than what is planned now, by the shortest interval. */
  #pauseMs(): number {
    const { clock, intervals } = this.#parts
    const untilNextMs = (this.#outlook.nextAt ?? Number.POSITIVE_INFINITY) - clock.now()
    const atMostMs = this.#outlook.planned === 0 ? firstPlanMs : latestMs
    return Math.max(soonestMs, Math.min(untilNextMs, intervals.minMs, atMostMs))
  }
}
