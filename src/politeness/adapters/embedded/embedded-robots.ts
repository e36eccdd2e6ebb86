import type { Database } from '../../../embedded/database.ts'
import type { FailureCode } from '../../../fetch/outcome.ts'
import type { RobotsEntry, RobotsStore } from '../../robots-store.ts'

const SCHEMA = `CREATE TABLE IF NOT EXISTS robots (
  origin     TEXT PRIMARY KEY,
  kind       TEXT NOT NULL,
  fetched_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  number     INTEGER NOT NULL,  -- of a status, or of failures in a row
  text       TEXT NOT NULL,     -- the file, or why there is none
  code       TEXT               -- the failure, where no answer came
)`

/** Keeps each robots.txt in the crawl's file; what was put is there after the next commit. Does not own the database. */
export function embeddedRobots(database: Database): RobotsStore {
  database.define(SCHEMA)
  return {
    async get(origin) {
      const row = database.prepare('SELECT * FROM robots WHERE origin = ?').get(origin)
      return row && entryOf(row)
    },
    async put(origin, entry) {
      database.write()
      database
        .prepare(
          'INSERT OR REPLACE INTO robots (origin, kind, fetched_at, expires_at, number, text, code) VALUES (?, ?, ?, ?, ?, ?, ?)',
        )
        .run(origin, entry.kind, entry.fetchedAt, entry.expiresAt, ...columnsOf(entry))
    },
    async [Symbol.asyncDispose]() {},
  }
}

function columnsOf(entry: RobotsEntry): [number, string, string | null] {
  switch (entry.kind) {
    case 'rules':
      return [0, entry.text, null]
    case 'none':
      return [entry.status, '', null]
    case 'unavailable':
      return [entry.failures, entry.detail, entry.code]
    default:
      return entry satisfies never
  }
}

function entryOf(row: Record<string, unknown>): RobotsEntry {
  const times = { fetchedAt: row.fetched_at as number, expiresAt: row.expires_at as number }
  const [number, text] = [row.number as number, row.text as string]
  const kind = row.kind as RobotsEntry['kind']
  switch (kind) {
    case 'rules':
      return { ...times, kind, text }
    case 'none':
      return { ...times, kind, status: number }
    case 'unavailable':
      return { ...times, kind, failures: number, detail: text, code: row.code as FailureCode | null }
    default:
      return kind satisfies never
  }
}
