import { readFileSync } from 'node:fs'
import type { Database } from '../../../embedded/database.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { NearDuplicates } from '../../near-duplicates.ts'
import { halvesOf } from './bucket.ts'
import { lazyBuckets } from './buckets.ts'

const SCHEMA = readFileSync(new URL('./schema.sql', import.meta.url), 'utf8')
const MAX_DISTANCE_BITS = 3
/** Members of buckets kept in memory, 16 bytes each. A crawl of up to a quarter as many pages writes no bucket. */
const MAX_WAITING = 40_000

/** Four buckets read for a question, one row written for an original: flat in the number of pages (see buckets.ts). */
export function embeddedNearDuplicates(database: Database, maxWaiting = MAX_WAITING): NearDuplicates {
  database.define(SCHEMA)
  const buckets = lazyBuckets(database, maxWaiting)
  const urlOf = database.prepare('SELECT url FROM near_original WHERE id = ?')
  const addOriginal = database.prepare('INSERT INTO near_original (url, high, low) VALUES (?, ?, ?)')

  return {
    async findOrAdd(url, simhash) {
      const halves = halvesOf(simhash)
      if (!halves) return undefined
      const rows = buckets.near(halves, MAX_DISTANCE_BITS)
      for (const row of rows) {
        const original = urlOf.get(row)?.url as CanonicalUrl
        if (original !== url) return original
      }
      // A page that is near to its own earlier self is an original still, and is remembered already.
      if (rows.length > 0) return undefined
      database.write()
      const row = Number(addOriginal.run(url, halves.high, halves.low).lastInsertRowid)
      buckets.add({ row, ...halves })
      return undefined
    },
    async [Symbol.asyncDispose]() {},
  }
}
