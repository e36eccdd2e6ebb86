import type { Snapshot, Vitals } from '../../../../api/schemas/overview.ts'
import type { Cursor } from '../../chart/chart.tsx'
import { nearest, type Point } from '../../chart/scale.ts'
import type { Thresholds } from '../../data/panels.ts'

/** What every panel of the overview draws from. */
export interface View {
  readonly now: Snapshot
  readonly history: readonly Vitals[]
  readonly thresholds: Thresholds
  readonly spanMs: number
  readonly cursor: Cursor
}

/** A figure over time; moments at which it was not known are left out. */
export function pointsOf(history: readonly Vitals[], read: (vitals: Vitals) => number | null): Point[] {
  return history.flatMap((vitals) => {
    const value = read(vitals)
    return value === null ? [] : [{ at: vitals.at, value }]
  })
}

/** What the reader points at, or what is now. */
export function pointedAt({ now, history, cursor }: Pick<View, 'now' | 'history' | 'cursor'>): Vitals {
  return cursor.at === null ? now : (history[nearest(history, cursor.at)] ?? now)
}
