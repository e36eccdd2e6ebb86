import { existsSync, readFileSync } from 'node:fs'
import { urlId } from '../../src/monitor/logs.ts'

export interface LoggedSettlement {
  readonly urlId: string
  /** Wall time. */
  readonly at: number
  /** `done`, `retry`… */
  readonly kind: string
  /** `settled`, or `lease-lost`. */
  readonly answer: string
}

/** A time in which a process did not run. By wall time. */
export interface Pause {
  readonly from: number
  readonly until: number
}

/** One process of a fleet, from its start to its end, as it wrote it down itself. */
export interface MemberLife {
  readonly pid: number
  /** `undefined`: it was not killed. */
  readonly killedAt: number | undefined
  /** Those that it was given, and those that a busy machine made, as it says itself. */
  readonly pauses: readonly Pause[]
  settlementsOf(url: string): readonly LoggedSettlement[]
  /** When it settled a URL for good, of those that it did after a moment; `undefined`: it did not. */
  settledAt(url: string, after: number): number | undefined
  /** How often it asked for an origin's robots.txt in vain. */
  robotsFailures(origin: string): number
}

export interface Lifetime extends Pick<MemberLife, 'pid' | 'killedAt' | 'pauses'> {
  /** Written with the level `debug`. */
  readonly logFile: string
}

export function readLife({ pid, killedAt, pauses, logFile }: Lifetime): MemberLife {
  const events = eventsIn(logFile)
  const stalls = events
    .filter(({ event }) => event === 'stalled')
    .map(({ at, ms = 0 }) => ({ from: at - ms, until: at }))
  const settlements = Map.groupBy(
    events.filter(({ event }) => event === 'settled'),
    (one) => one.urlId,
  )
  const settlementsOf = (url: string) => settlements.get(urlId(url)) ?? []
  return {
    ...{ pid, killedAt, settlementsOf },
    pauses: [...pauses, ...stalls],
    settledAt: (url, after) =>
      settlementsOf(url).find(({ at, answer, kind }) => at >= after && answer === 'settled' && kind !== 'retry')?.at,
    robotsFailures: (origin) =>
      events.filter((one) => one.event === 'robots' && one.origin === origin && one.answer !== 'rules').length,
  }
}

interface LoggedEvent extends LoggedSettlement {
  readonly event: string
  readonly origin?: string
  readonly ms?: number
}

/** A line that was cut by a kill is the last one. */
function eventsIn(file: string): LoggedEvent[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const told = lines.filter((line) => /"event":"(?:settled|robots|stalled)"/.test(line)).map((line) => JSON.parse(line))
  return told.map((one) => ({ ...one, at: Date.parse(one.at) }))
}
