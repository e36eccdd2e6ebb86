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

/** One process of a fleet, from its start to its end, as it wrote it down itself. */
export interface MemberLife {
  readonly pid: number
  /** `undefined`: it was not killed. */
  readonly killedAt: number | undefined
  settlementsOf(url: string): readonly LoggedSettlement[]
  /** When it settled a URL for good, of those that it did after a moment; `undefined`: it did not. */
  settledAt(url: string, after: number): number | undefined
}

/** `logFile`: written with the level `debug`. */
export function readLife(pid: number, killedAt: number | undefined, logFile: string): MemberLife {
  const settlements = Map.groupBy(settlementsIn(logFile), (one) => one.urlId)
  const settlementsOf = (url: string) => settlements.get(urlId(url)) ?? []
  return {
    ...{ pid, killedAt, settlementsOf },
    settledAt: (url, after) =>
      settlementsOf(url).find(({ at, answer, kind }) => at >= after && answer === 'settled' && kind !== 'retry')?.at,
  }
}

/** A line that was cut by a kill is the last one. */
function settlementsIn(file: string): LoggedSettlement[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const events = lines.filter((line) => line.includes('"settled"')).map((line) => JSON.parse(line))
  return events.filter(({ event }) => event === 'settled').map((one) => ({ ...one, at: Date.parse(one.at) }))
}
