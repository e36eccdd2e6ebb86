import { statfs } from 'node:fs/promises'
import type { Vitals } from '../server/api/schemas/overview.ts'
import type { Measures } from './alerts.ts'

/** What a server sees each second, and what else is known, as rules look at it. */
export interface Seen {
  readonly vitals: Vitals
  readonly workersLost: number
  /** `undefined`: not known here. */
  readonly waitingHosts?: number | undefined
  readonly oldestWaitMs?: number | undefined
  readonly diskFreeShare?: number | undefined
  readonly errorBudgetLeft?: number | undefined
}

export function measuresOf({ vitals, workersLost, ...rest }: Seen): Measures {
  const known: Record<keyof Measures, number | null | undefined> = {
    pagesPerSecond: vitals.pagesPerSecond,
    requestsPerSecond: vitals.requestsPerSecond,
    frontierUrls: vitals.queued + (vitals.carried ?? 0),
    duplicateRate: vitals.duplicateRate,
    fetchSuccess: vitals.fetchSuccess,
    parseSuccess: vitals.parseSuccess,
    storageLagMs: vitals.storageLagMs,
    workers: vitals.workers,
    workersLost,
    waitingHosts: rest.waitingHosts,
    oldestWaitMs: rest.oldestWaitMs,
    diskFreeShare: rest.diskFreeShare,
    errorBudgetLeft: rest.errorBudgetLeft,
  }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null && value !== undefined))
}

/**
 * What is left of the failures that an hour may have, over the hour that a server remembers: 1 nothing has failed, 0 as
 * much as may, less than 0 more. `undefined`: hardly anything was tried.
 */
export function errorBudgetLeft(hour: readonly Vitals[], mayFailShare: number): number | undefined {
  let [tried, failed] = [0, 0]
  for (const { requestsPerSecond, fetchSuccess } of hour) {
    if (fetchSuccess === null) continue
    tried += requestsPerSecond
    failed += requestsPerSecond * (1 - fetchSuccess)
  }
  return tried < 1 ? undefined : 1 - failed / tried / mayFailShare
}

/** Of the disk on which a folder lies. `undefined`: cannot be told. */
export async function diskFreeShare(folder: string): Promise<number | undefined> {
  try {
    const { bavail, blocks } = await statfs(folder)
    return blocks > 0 ? bavail / blocks : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
