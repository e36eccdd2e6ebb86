import type { Database } from '../../../embedded/database.ts'
import { maxVisits } from '../../record-store.ts'
import type { VisitEntry } from '../../url-record.ts'

/** The history of visits, by the row of the URL they were made to. */
export interface Visits {
  /** False, changing nothing: this visit was told before. */
  add(record: number, visit: VisitEntry): boolean
  /** Drops the oldest of too many. False: the one made `at` that moment was among them. */
  keepLatest(record: number, at: number): boolean
  /** Oldest first. */
  of(record: number): VisitEntry[]
  move(from: number, to: number): void
}

export function embeddedVisits(database: Database): Visits {
  const add = database.prepare('INSERT INTO visit VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')
  const read = database.prepare(
    'SELECT at, kind, status, duration_ms AS durationMs, bytes, detail FROM visit WHERE record = ? ORDER BY at',
  )
  const move = database.prepare('UPDATE visit SET record = ? WHERE record = ?')
  const tooOld = database.prepare('SELECT at FROM visit WHERE record = ? ORDER BY at DESC LIMIT 1 OFFSET ?')
  const drop = database.prepare('DELETE FROM visit WHERE record = ? AND at <= ?')
  return {
    add: (record, { at, kind, status, durationMs, bytes, detail }) =>
      add.run(record, at, kind, status, durationMs, bytes, detail).changes === 1,
    keepLatest(record, at) {
      const newestToDrop = tooOld.get(record, maxVisits)?.at as number | undefined
      if (newestToDrop === undefined) return true
      drop.run(record, newestToDrop)
      return at > newestToDrop
    },
    of: (record) => read.all(record).map((row) => ({ ...row }) as unknown as VisitEntry),
    move: (from, to) => void move.run(to, from),
  }
}
