import type { Facts } from '../store/facts.ts'
import type { Database } from './database.ts'

/** Facts in the crawl's own database; a `set` joins the current group of writes. */
export function openFacts(database: Database, readOnly = false): Facts {
  if (!readOnly)
    database.define('CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID')
  const get = (name: string) =>
    database.prepare('SELECT value FROM fact WHERE name = ?').get(name)?.value as string | undefined
  return {
    get,
    number: (name) => Number(get(name) ?? 0),
    set(name, value) {
      database.write()
      database.prepare('INSERT OR REPLACE INTO fact (name, value) VALUES (?, ?)').run(name, String(value))
    },
  }
}
