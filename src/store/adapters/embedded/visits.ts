import type { Database } from '../../../embedded/database.ts'
import type { VisitEntry } from '../../url-record.ts'

/** The history of visits, by the row of the URL they were made to. */
export interface Visits {
  /** False, changing nothing: this visit was told before. */
  add(record: number, visit: VisitEntry): boolean
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
  return {
    add: (record, { at, kind, status, durationMs, bytes, detail }) =>
      add.run(record, at, kind, status, durationMs, bytes, detail).changes === 1,
    of: (record) => read.all(record).map((row) => ({ ...row }) as unknown as VisitEntry),
    move: (from, to) => void move.run(to, from),
  }
}
