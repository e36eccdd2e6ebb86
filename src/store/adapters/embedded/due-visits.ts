import type { Database } from '../../../embedded/database.ts'
import { type PackedRecord, unpack } from '../../packed-record.ts'
import type { DueVisit, Outlook } from '../../record-store.ts'

/** When records are to be visited again, by their row. */
export interface DueVisits {
  /** `null`: never. */
  plan(record: number, at: number | null): void
  /** Only what is planned for the moment `from`. */
  putOff(record: number, from: number, until: number | null): void
  first(by: number, limit: number): DueVisit[]
  outlook(now: number): Outlook
}

export function embeddedDueVisits(database: Database): DueVisits {
  const plan = database.prepare('INSERT INTO due VALUES (?, ?) ON CONFLICT DO UPDATE SET at = excluded.at')
  const forget = database.prepare('DELETE FROM due WHERE record = ?')
  const putOff = database.prepare('UPDATE due SET at = ? WHERE record = ? AND at = ?')
  const drop = database.prepare('DELETE FROM due WHERE record = ? AND at = ?')
  const first = database.prepare(
    `SELECT d.at, r.packed FROM due d JOIN record r ON r.id = d.record
     WHERE d.at <= ? ORDER BY d.at, d.record LIMIT ?`,
  )
  const all = database.prepare('SELECT count(*) AS planned, min(at) AS nextAt FROM due')
  const overdue = database.prepare('SELECT count(*) AS overdue FROM due WHERE at <= ?')

  return {
    plan: (record, at) => void (at === null ? forget.run(record) : plan.run(record, at)),
    putOff: (record, from, until) => void (until === null ? drop.run(record, from) : putOff.run(until, record, from)),
    first: (by, limit) =>
      first.all(Math.min(by, Number.MAX_SAFE_INTEGER), limit).map(({ at, packed }) => {
        const { url, depth, parent, next } = unpack(packed as PackedRecord)
        return { url, depth, parent, band: next?.band ?? 'low', dueAt: at as number }
      }),
    outlook: (now) => ({ ...all.get(), ...overdue.get(now) }) as unknown as Outlook,
  }
}
