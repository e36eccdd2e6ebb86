import type { Snapshot, Vitals } from '../../../api/schemas/overview.ts'

export const hourMs = 3_600_000

/** The last hour with one more moment; moments that came before, or twice, change nothing. */
export function recent(history: readonly Vitals[], snapshot: Snapshot): Vitals[] {
  const { crawls: _crawls, workerList: _workers, alertsFiring: _alerts, fault: _fault, ...vitals } = snapshot
  const last = history.at(-1)
  if (last && last.at >= vitals.at) return [...history]
  const first = history.findIndex(({ at }) => at > vitals.at - hourMs)
  return [...(first < 0 ? [] : history.slice(first)), vitals]
}

const spansMs = [60_000, 300_000, 900_000, hourMs]

/** The shortest span that shows all there is. */
export function fittingSpan(history: readonly Vitals[]): number {
  const known = history.length === 0 ? 0 : history.at(-1)!.at - history[0]!.at
  return spansMs.find((span) => known <= span) ?? hourMs
}
