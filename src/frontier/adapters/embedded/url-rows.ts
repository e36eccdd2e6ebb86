import type { Database } from '../../../embedded/database.ts'
import type { Facts } from '../../../store/facts.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { type BandNumber, bands } from '../../bands.ts'
import type { Candidate, CrawlRequest } from '../../frontier.ts'
import type { DeadFilter } from '../../ledger.ts'
import { deadWhere } from './dead-where.ts'
import { type StoredState, stored } from './stored-state.ts'

export { type StoredState, stored } from './stored-state.ts'

export interface DeadRow {
  readonly id: number
  readonly host: number
  readonly band: BandNumber
  readonly reason: string
}

/** The table of URLs, one statement for each step. */
export class UrlRows {
  readonly #database: Database
  #lastId: number

  constructor(database: Database) {
    this.#database = database
    this.#lastId = Number(database.prepare('SELECT max(id) AS id FROM url').get()!.id ?? 0)
  }

  get lastId(): number {
    return this.#lastId
  }

  append(candidate: Candidate, host: number, parent: number | null, now: number, refusal: string | null): number {
    const id = ++this.#lastId
    const { url, depth, redirects } = candidate
    this.#database
      .prepare(
        `INSERT INTO url (id, host, url, parent, depth, band, redirects, discovered_at, state, reason)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[id, host, url, parent, depth, bands.indexOf(candidate.band), redirects, now],
        ...[refusal === null ? stored.queued : stored.excluded, refusal],
      )
    return id
  }

  request(id: number): CrawlRequest {
    const row = this.#database
      .prepare(
        `SELECT u.url, u.depth, u.band, u.redirects, u.discovered_at, u.attempts, p.url AS parent
         FROM url u LEFT JOIN url p ON p.id = u.parent WHERE u.id = ?`,
      )
      .get(id)!
    return {
      url: row.url as CanonicalUrl,
      priority: bands[row.band as BandNumber],
      depth: row.depth as number,
      parent: row.parent as CanonicalUrl | null,
      discoveredAt: row.discovered_at as number,
      redirects: row.redirects as number,
      attempts: row.attempts as number,
    }
  }

  end(id: number, state: StoredState, reason: string | null): void {
    this.#database.prepare('UPDATE url SET state = ?, due_at = NULL, reason = ? WHERE id = ?').run(state, reason, id)
  }

  putOff(id: number, dueAt: number, reason: string): void {
    this.#database
      .prepare('UPDATE url SET attempts = attempts + 1, due_at = ?, reason = ? WHERE id = ?')
      .run(dueAt, reason, id)
  }

  whereabouts(id: number): { host: number; band: BandNumber; dueAt: number; reason: string | null } {
    const row = this.#database.prepare('SELECT host, band, due_at AS dueAt, reason FROM url WHERE id = ?').get(id)
    return row as unknown as { host: number; band: BandNumber; dueAt: number; reason: string | null }
  }

  standing(id: number): { host: number; state: StoredState; band: BandNumber } {
    const row = this.#database.prepare('SELECT host, state, band FROM url WHERE id = ?').get(id)
    return row as unknown as { host: number; state: StoredState; band: BandNumber }
  }

  revive(id: number): void {
    this.#database
      .prepare('UPDATE url SET state = ?, attempts = 0, due_at = NULL, reason = NULL WHERE id = ?')
      .run(stored.queued, id)
  }

  dead(filter: DeadFilter): DeadRow[] {
    const { where, parameters } = deadWhere(filter)
    const sql = `SELECT u.id, u.host, u.band, u.reason FROM url u JOIN host h ON h.id = u.host WHERE ${where}`
    return this.#database.prepare(sql).all(...parameters) as unknown as DeadRow[]
  }

  *queued(): Iterable<{ id: number; host: number; band: BandNumber; dueAt: number | null }> {
    const sql = 'SELECT id, host, band, due_at FROM url WHERE id > ? AND state = 0 ORDER BY id LIMIT ?'
    for (const [id, host, band, dueAt] of this.#database.scan(sql))
      yield { id: id as number, host: host as number, band: band as BandNumber, dueAt: dueAt as number | null }
  }

  *after(id: number): Iterable<{ id: number; url: string }> {
    for (const [row, url] of this.#database.scan('SELECT id, url FROM url WHERE id > ? ORDER BY id LIMIT ?', id))
      yield { id: row as number, url: url as string }
  }
}

/** The id of a URL, for readers outside the crawl: the newest fingerprints are in the memory of the crawl only. */
export function findUrl(
  database: Database,
  facts: Facts,
  fingerprint: (url: string) => number,
  url: CanonicalUrl,
): number | undefined {
  // Read before the set is asked: a commit in between moves fingerprints into the set, never out of it.
  const storedThrough = facts.number('seen.storedThrough')
  const row =
    database
      .prepare('SELECT s.id FROM seen s JOIN url u ON u.id = s.id WHERE s.fingerprint = ? AND u.url = ?')
      .get(fingerprint(url), url) ??
    database.prepare('SELECT id FROM url WHERE id > ? AND url = ?').get(storedThrough, url)
  return row?.id as number | undefined
}
