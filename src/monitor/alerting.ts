import type { Clock } from '../clock.ts'
import type { Overview, Snapshot } from '../server/api/schemas/overview.ts'
import type { AlertBoard } from './alert-board.ts'
import type { AlertsConfig } from './config.ts'
import { errorBudgetLeft, measuresOf, type Seen } from './measures.ts'

/** Where a server's own look at things can be had. */
export interface Watched {
  fresh(): Promise<Snapshot>
  readonly history: Overview['history']
  workers(): readonly { readonly alive: boolean }[]
}

export interface AlertingParts {
  readonly board: Pick<AlertBoard, 'look'>
  readonly watch: Watched
  readonly config: Pick<AlertsConfig, 'everyMs' | 'errorBudget'>
  /** What the server does not see by itself. */
  readonly also: () => Promise<Pick<Seen, 'waitingHosts' | 'oldestWaitMs' | 'diskFreeShare'>>
  readonly clock: Clock
  readonly log: (line: string) => void
}

/** Judges the rules again and again, until it is closed. */
export function keepJudging({ board, watch, config, also, clock, log }: AlertingParts): AsyncDisposable {
  const closed = new AbortController()
  async function look(): Promise<void> {
    const vitals = await watch.fresh()
    const workersLost = watch.workers().filter(({ alive }) => !alive).length
    const budget = errorBudgetLeft(watch.history, config.errorBudget)
    await board.look(measuresOf({ vitals, workersLost, errorBudgetLeft: budget, ...(await also()) }))
  }
  async function keepLooking(): Promise<void> {
    while (!closed.signal.aborted) {
      await look().catch((error: Error) => log(`alerts: ${error.message}`))
      await clock.sleep(config.everyMs, closed.signal)
    }
  }
  const looking = keepLooking()
  return {
    async [Symbol.asyncDispose]() {
      closed.abort()
      await looking
    },
  }
}
