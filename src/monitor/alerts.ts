/**
 * Alerts: rules as data, judged by pure functions. Time and measures come in, what must be remembered goes out.
 */

/** What rules look at. What is not known is left out: then nothing is judged, and what was firing stays so. */
export interface Measures {
  readonly pagesPerSecond?: number
  readonly requestsPerSecond?: number
  readonly frontierUrls?: number
  /** Copies among the pages. */
  readonly duplicateRate?: number
  /** Attempts that brought an answer below 400. */
  readonly fetchSuccess?: number
  readonly parseSuccess?: number
  readonly storageLagMs?: number
  /** Hosts that might be touched and are not, and how long the first of them has been waiting. */
  readonly waitingHosts?: number
  readonly oldestWaitMs?: number
  readonly workers?: number
  /** Silent, and did not say that they leave. */
  readonly workersLost?: number
  /** Of the disk that holds what this process writes. */
  readonly diskFreeShare?: number
  /** What is left of the failures that may happen in an hour; negative: more have happened. */
  readonly errorBudgetLeft?: number
}

export type Measure = keyof Measures

export interface Bound {
  readonly of: Measure
  readonly is: 'over' | 'under'
  readonly threshold: number
}

export type ActionName = 'scale-up' | 'fewer-links' | 'rebuild-filter' | 'check-network' | 'none'

export interface Rule extends Bound {
  readonly id: string
  readonly title: string
  readonly severity: 'info' | 'warning' | 'critical'
  /** Judged only while all of these hold too. */
  readonly onlyIf: readonly Bound[]
  /** Fires when it has been so for this long. */
  readonly forMs: number
  /** Ends when the measure is back on the good side of this, which may be further than the threshold… */
  readonly clearsAt: number
  /** …for this long. */
  readonly clearForMs: number
  /** What the orchestrator does by itself. */
  readonly action: ActionName
  /** For people: what is wrong, and what to do. */
  readonly advice: string
}

/** What must be remembered of a rule. */
export interface AlertState {
  readonly state: 'ok' | 'pending' | 'firing'
  /** In this state since then. */
  readonly since: number | null
  /** Firing, but the measure has been well since then. */
  readonly wellSince: number | null
  readonly value: number | null
}

export const fine: AlertState = { state: 'ok', since: null, wellSince: null, value: null }

export function judge(rule: Rule, measures: Measures, before: AlertState, now: number): AlertState {
  const value = measures[rule.of]
  if (value === undefined || !rule.onlyIf.every((bound) => isBeyond(bound, measures[bound.of])))
    return before.state === 'firing'
      ? cleared(rule, value === undefined, before, now)
      : { ...fine, value: value ?? null }
  if (before.state === 'firing')
    return isWell(rule, value) ? cleared(rule, false, { ...before, value }, now) : { ...before, value, wellSince: null }
  if (!isBeyond(rule, value)) return { ...fine, value }
  const since = before.since ?? now
  if (now - since >= rule.forMs) return { state: 'firing', since: now, wellSince: null, value }
  return { state: 'pending', since, wellSince: null, value }
}

/** A measure that is not known proves nothing; one whose conditions no longer hold counts as well. */
function cleared(rule: Rule, isUnknown: boolean, before: AlertState, now: number): AlertState {
  if (isUnknown) return before
  const wellSince = before.wellSince ?? now
  return now - wellSince >= rule.clearForMs ? { ...fine, value: before.value } : { ...before, wellSince }
}

function isBeyond({ is, threshold }: Bound, value: number | undefined): boolean {
  return value !== undefined && (is === 'over' ? value > threshold : value < threshold)
}

const isWell = ({ is, clearsAt }: Rule, value: number) => (is === 'over' ? value <= clearsAt : value >= clearsAt)
