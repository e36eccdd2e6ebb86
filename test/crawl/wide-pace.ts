import { politenessConfig } from '../../src/politeness/config.ts'
import { settingsFor } from '../../src/politeness/host-settings.ts'
import { afterOutcome, initialPace } from '../../src/politeness/pace.ts'
import type { Touch } from './wide-world.ts'

export interface PaceReport {
  /** Time from first to last touch against what the rules allow, by host: 1 is exact, more is slower. */
  readonly least: number
  readonly mean: number
  readonly most: number
  /** Touches that came sooner than allowed. */
  readonly violations: number
  /** Hosts off by more than a twentieth. */
  readonly off: number
}

/** Compares each host's touches with the rules: a gap after the last touch that follows latency, one request at a time. */
export function paceReport(hosts: Iterable<readonly Touch[]>): PaceReport {
  const ratios: number[] = []
  let violations = 0
  for (const touches of hosts) {
    const allowed = allowedIntervals(touches)
    const measured = touches.slice(1).map(({ at }, i) => at - touches[i]!.at)
    violations += measured.filter((ms, i) => ms < allowed[i]!).length
    ratios.push(sum(measured) / sum(allowed))
  }
  return {
    least: Math.min(...ratios),
    mean: sum(ratios) / ratios.length,
    most: Math.max(...ratios),
    violations,
    off: ratios.filter((ratio) => Math.abs(ratio - 1) > 0.05).length,
  }
}

function allowedIntervals(touches: readonly Touch[]): number[] {
  const settings = settingsFor('any.test', politenessConfig.parse({}))
  let pace = initialPace(settings, null)
  return touches.slice(0, -1).map(({ at, latencyMs }) => {
    pace = afterOutcome(pace, { kind: 'ok', latencyMs }, at + latencyMs, settings, at).pace
    return Math.max(pace.gapMs, latencyMs)
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
