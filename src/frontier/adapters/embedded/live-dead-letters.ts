import type { DeadFilter, DeadLetters } from '../../ledger.ts'
import type { HostState } from './hosts.ts'
import { type LiveParts, reopen } from './reopen.ts'
import { type DeadRow, stored } from './url-rows.ts'

/** Dead letters of a frontier that is at work: what it has in memory is changed with the rows. */
export class LiveDeadLetters implements DeadLetters {
  readonly #parts: LiveParts

  constructor(parts: LiveParts) {
    this.#parts = parts
  }

  async retryDead(filter: DeadFilter): Promise<number> {
    const now = this.#parts.clock.now()
    return this.#correct(filter, (host, letter) => {
      host.forgive(now)
      reopen(this.#parts, host, letter)
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
