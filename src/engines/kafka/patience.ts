import type { Clock } from '../../clock.ts'
import { engineNews } from '../../monitor/events.ts'
import { isOfRebalance } from './faults.ts'

export interface Patience {
  readonly clock: Clock
  /** How long to try before giving up. */
  readonly patienceMs: number
  readonly mayPass: (error: unknown) => boolean
  /** Set: try no more. */
  readonly signal?: AbortSignal
}

/** Repeats an act that fails for a while. What cannot pass, or lasts longer than the patience, is thrown as it came. */
export async function patiently<T>(act: () => Promise<T>, patience: Patience): Promise<T> {
  const { clock, patienceMs, mayPass, signal } = patience
  const since = clock.now()
  let wasAway = false
  for (let failures = 1; ; failures++)
    try {
      const done = await act()
      if (wasAway) engineNews.tell({ engine: 'kafka', isAway: false, reason: '' })
      return done
    } catch (error) {
      if (!mayPass(error) || signal?.aborted || clock.now() - since >= patienceMs) throw error
      if (!isOfRebalance(error)) {
        engineNews.tell({ engine: 'kafka', isAway: true, reason: (error as Error).message })
        wasAway = true
      }
      await clock.sleep(backOffMs(failures), signal)
    }
}

/** 250 ms, then twice as long each time, 5 s at most: short enough to be back soon after the engine is. */
export function backOffMs(failures: number): number {
  return Math.min(250 * 2 ** (failures - 1), 5000)
}
