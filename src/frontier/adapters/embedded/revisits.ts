import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../embedded/database.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { Readmission } from '../../frontier.ts'
import type { Hosts } from './hosts.ts'
import type { IdQueues } from './id-queues.ts'
import type { ReadyHosts } from './ready-hosts.ts'
import type { Totals } from './totals.ts'
import { stored, type UrlRows } from './url-rows.ts'

export interface RevisitsParts {
  readonly database: Database
  readonly clock: Clock
  readonly rows: UrlRows
  readonly hosts: Hosts
  readonly queues: IdQueues
  readonly ready: ReadyHosts
  readonly totals: Totals
  readonly idOf: (url: CanonicalUrl) => number | undefined
}

/** Which URLs are open because they are to be visited again: in memory and stored, and no more than are open or dead. */
export class Revisits {
  readonly #parts: RevisitsParts
  readonly #ids: Set<number>

  constructor(parts: RevisitsParts) {
    this.#parts = parts
    const rows = parts.database.prepare('SELECT id FROM revisit').all()
    this.#ids = new Set(rows.map(({ id }) => id as number))
  }

  has(id: number): boolean {
    return this.#ids.has(id)
  }

  /** Those that are queued or leased. */
  get open(): number {
    if (this.#ids.size === 0) return 0
    const sql = 'SELECT count(*) AS open FROM revisit r JOIN url u ON u.id = r.id WHERE u.state = ?'
    return this.#parts.database.prepare(sql).get(stored.queued)!.open as number
  }

  begin(url: CanonicalUrl): Readmission {
    const { database, clock, rows, hosts, queues, ready, totals, idOf } = this.#parts
    const id = idOf(url)
    if (id === undefined) return 'refused'
    const { host: hostId, state, band } = rows.standing(id)
    if (state === stored.queued) return 'waiting'
    if (state === stored.excluded) return 'refused'
    database.write()
    rows.revive(id)
    this.#mark(id)
    const counter = state === stored.done ? 'done' : 'dead'
    const host = hosts.byId(hostId)
    host[counter]--
    host.open++
    totals[counter]--
    totals.open++
    totals.byBand[band]++
    host.enqueue(id, band, queues)
    hosts.changed(host)
    ready.place(host, clock.now())
    return 'queued'
  }

  /** A visit has ended for good. A dead letter that a person brings back is still a revisit. */
  end(id: number, state: 'done' | 'excluded' | 'dead'): void {
    if (this.#ids.size === 0 || state === 'dead' || !this.#ids.delete(id)) return
    this.#parts.database.prepare('DELETE FROM revisit WHERE id = ?').run(id)
  }

  #mark(id: number): void {
    this.#ids.add(id)
    this.#parts.database.prepare('INSERT OR IGNORE INTO revisit VALUES (?)').run(id)
  }
}
