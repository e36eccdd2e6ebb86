import type { Database } from '../../../embedded/database.ts'
import type { Facts } from '../../../store/facts.ts'
import { RecentIds } from './recent-ids.ts'

/** Quick "surely new"; may say "maybe" for a URL that is new, never "new" for one that is known. */
export interface Filter {
  mayHave(fingerprint: number): boolean
  add(fingerprint: number): void
}

const slotBits = 19
const sliceSize = 4096

/**
 * Which id has this URL? Two tiers: a Bloom filter that answers most new URLs from memory, and behind it the exact set:
 * the newest ids in memory, all others in the database. Every "maybe" is confirmed by comparing the URL's text, so two
 * URLs with one fingerprint are still two URLs.
 *
 * A random key dirties a page of the database for each row, so fingerprints are not inserted as they come: a full table
 * of recent ones is written in sorted slices, a slice at each commit, while the next table fills.
 */
export class Seen {
  readonly #database: Database
  readonly #facts: Facts
  #filter: Filter | undefined
  #filterIsWhole = false
  #recent = new RecentIds(slotBits)
  #flushing: { table: RecentIds; fingerprints: Float64Array; done: number } | undefined

  constructor(database: Database, facts: Facts) {
    this.#database = database
    this.#facts = facts
    database.beforeCommit(() => this.#flushSlice(sliceSize))
  }

  /** URLs with greater ids must be added again after opening. */
  get storedThrough(): number {
    return this.#facts.number('seen.storedThrough')
  }

  /** New URLs are added to the filter from now on; it is asked only once it is whole, until then the exact set alone is. */
  useFilter(filter: Filter, isWhole: boolean): void {
    this.#filter = filter
    this.#filterIsWhole = isWhole
  }

  find(url: string, fingerprint: number): number | undefined {
    if (this.#filterIsWhole && !this.#filter!.mayHave(fingerprint)) return undefined
    const isIt = (id: number) => this.#textOf(id) === url
    const recent = this.#recent.find(fingerprint, isIt) ?? this.#flushing?.table.find(fingerprint, isIt)
    if (recent !== undefined) return recent
    const rows = this.#database.prepare('SELECT id FROM seen WHERE fingerprint = ?').all(fingerprint)
    return rows.map((row) => row.id as number).find(isIt)
  }

  add(fingerprint: number, id: number): void {
    this.#filter?.add(fingerprint)
    if (this.#recent.size >= this.#recent.capacity) this.#turnOver()
    this.#recent.add(fingerprint, id)
  }

  /** Fingerprints in the exact set, in slices from `after` on, for building a filter. Recent ones are not among them. */
  stored(after: number, limit: number): Float64Array {
    const rows = this.#database
      .prepare('SELECT fingerprint FROM seen WHERE fingerprint > ? ORDER BY fingerprint LIMIT ?')
      .all(after, limit)
    return Float64Array.from(rows, (row) => row.fingerprint as number)
  }

  #textOf(id: number): string | undefined {
    return this.#database.prepare('SELECT url FROM url WHERE id = ?').get(id)?.url as string | undefined
  }

  #turnOver(): void {
    this.#flushSlice(Number.POSITIVE_INFINITY)
    this.#flushing = { table: this.#recent, fingerprints: this.#recent.sorted(), done: 0 }
    this.#recent = new RecentIds(slotBits)
  }

  #flushSlice(limit: number): void {
    const flushing = this.#flushing
    if (!flushing) return
    this.#database.write()
    const insert = this.#database.prepare('INSERT OR IGNORE INTO seen (fingerprint, id) VALUES (?, ?)')
    const end = Math.min(flushing.fingerprints.length, flushing.done + limit)
    for (; flushing.done < end; flushing.done++) {
      const fingerprint = flushing.fingerprints[flushing.done]!
      flushing.table.find(fingerprint, (id) => {
        insert.run(fingerprint, id)
        return false
      })
    }
    if (end < flushing.fingerprints.length) return
    this.#facts.set('seen.storedThrough', flushing.table.lastId)
    this.#flushing = undefined
  }
}
