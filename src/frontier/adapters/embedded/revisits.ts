import type { CanonicalUrl } from '../../../url/keys.ts'
import type { Readmission } from '../../frontier.ts'
import { type LiveParts, reopen } from './reopen.ts'
import { stored } from './url-rows.ts'

export interface RevisitsParts extends LiveParts {
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
    const { database, rows, hosts, totals, idOf } = this.#parts
    const id = idOf(url)
    if (id === undefined) return 'refused'
    const { host: hostId, state, band } = rows.standing(id)
    if (state === stored.queued) return 'waiting'
    if (state === stored.excluded) return 'refused'
    database.write()
    this.#mark(id)
    const counter = state === stored.done ? 'done' : 'dead'
    const host = hosts.byId(hostId)
    host[counter]--
    totals[counter]--
    reopen(this.#parts, host, { id, band })
    hosts.changed(host)
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
