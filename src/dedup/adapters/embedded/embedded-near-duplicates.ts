import { readFileSync } from 'node:fs'
import type { Database } from '../../../embedded/database.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { NearDuplicates } from '../../near-duplicates.ts'
import { blocksOf, collectNear, halvesOf, withMember } from './bucket.ts'

const SCHEMA = readFileSync(new URL('./schema.sql', import.meta.url), 'utf8')
const MAX_DISTANCE_BITS = 3

/** Four rows read for a question, four written for an original: flat in the number of pages (see bucket.ts). */
export function embeddedNearDuplicates(database: Database): NearDuplicates {
  database.define(SCHEMA)
  const bucketOf = database.prepare('SELECT members FROM near_bucket WHERE block = ?')
  const setBucket = database.prepare('INSERT OR REPLACE INTO near_bucket VALUES (?, ?)')
  const urlOf = database.prepare('SELECT url FROM near_original WHERE id = ?')
  const addOriginal = database.prepare('INSERT INTO near_original (url) VALUES (?)')

  return {
    async findOrAdd(url, simhash) {
      const halves = halvesOf(simhash)
      if (!halves) return undefined
      const blocks = blocksOf(halves)
      const buckets = blocks.map((block) => bucketOf.get(block)?.members as Uint8Array | undefined)
      const near = new Set<number>()
      for (const bucket of buckets) if (bucket) collectNear(bucket, halves, MAX_DISTANCE_BITS, near)
      // A page that is near to its own earlier self is an original still, and is remembered already.
      for (const row of [...near].sort((a, b) => a - b)) {
        const original = urlOf.get(row)?.url as CanonicalUrl
        if (original !== url) return original
      }
      if (near.size > 0) return undefined
      database.write()
      const row = Number(addOriginal.run(url).lastInsertRowid)
      for (const [i, block] of blocks.entries()) setBucket.run(block, withMember(buckets[i], row, halves))
      return undefined
    },
    async [Symbol.asyncDispose]() {},
  }
}
