import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../embedded/database.ts'
import type { DeadFilter, DeadLetters } from '../../ledger.ts'
import type { HostState, Hosts } from './hosts.ts'
import type { IdQueues } from './id-queues.ts'
import type { ReadyHosts } from './ready-hosts.ts'
import type { Totals } from './totals.ts'
import { type DeadRow, stored, type UrlRows } from './url-rows.ts'

export interface LiveDeadLettersParts {
  readonly database: Database
  readonly clock: Clock
  readonly rows: UrlRows
  readonly hosts: Hosts
  readonly queues: IdQueues
  readonly ready: ReadyHosts
  readonly totals: Totals
}

/** Dead letters of a frontier that is at work: what it has in memory is changed with the rows. */
export class LiveDeadLetters implements DeadLetters {
  readonly #parts: LiveDeadLettersParts

  constructor(parts: LiveDeadLettersParts) {
    this.#parts = parts
  }

  async retryDead(filter: DeadFilter): Promise<number> {
    const { rows, queues, ready, totals, clock } = this.#parts
    const now = clock.now()
    return this.#correct(filter, (host, { id, band }) => {
      rows.revive(id)
      host.open++
      totals.open++
      totals.byBand[band]++
      host.forgive(now)
      host.enqueue(id, band, queues)
      ready.place(host, now)
    })
  }

  async dropDead(filter: DeadFilter): Promise<number> {
    const { rows, totals } = this.#parts
    return this.#correct(filter, (host, { id, reason }) => {
      rows.end(id, stored.excluded, `dropped: ${reason}`)
      host.excluded++
      totals.excluded++
    })
  }

  #correct(filter: DeadFilter, change: (host: HostState, letter: DeadRow) => void): number {
    const { database, rows, hosts, totals } = this.#parts
    // Hosts that are new since the last commit are not in the database yet.
    database.commit()
    const letters = rows.dead(filter)
    if (letters.length > 0) database.write()
    for (const letter of letters) {
      const host = hosts.byId(letter.host)
      host.dead--
      totals.dead--
      change(host, letter)
      hosts.changed(host)
    }
    database.commit()
    return letters.length
  }
}
