import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../embedded/database.ts'
import type { HostState, Hosts } from './hosts.ts'
import type { IdQueues } from './id-queues.ts'
import type { ReadyHosts } from './ready-hosts.ts'
import type { Totals } from './totals.ts'
import type { DeadRow, UrlRows } from './url-rows.ts'

/** What a frontier that is at work has in memory and stored. */
export interface LiveParts {
  readonly database: Database
  readonly clock: Clock
  readonly rows: UrlRows
  readonly hosts: Hosts
  readonly queues: IdQueues
  readonly ready: ReadyHosts
  readonly totals: Totals
}

/** A URL that had come to its end waits again, with fresh attempts. Whoever counted its end takes that back. */
export function reopen(parts: LiveParts, host: HostState, { id, band }: Pick<DeadRow, 'id' | 'band'>): void {
  const { rows, queues, ready, totals, clock } = parts
  rows.revive(id)
  host.open++
  totals.open++
  totals.byBand[band]++
  host.enqueue(id, band, queues)
  ready.place(host, clock.now())
}
