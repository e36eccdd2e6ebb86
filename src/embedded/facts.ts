import type { Database } from './database.ts'

/** Small named values that belong to a crawl as a whole, committed together with everything else. */
export interface Facts {
  get(name: string): string | undefined
  number(name: string): number
  set(name: string, value: string | number): void
}

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
