import type { Database } from '../../../embedded/database.ts'
import type { Statement } from '../../../embedded/statement.ts'
import type { ShapeCounts } from '../../../url/budgets.ts'

/** More are read again when they are met again. */
const MAX_IN_MEMORY = 100_000
/** Groups belong to no host. */
const NO_HOST = 0

interface Count {
  readonly host: number
  readonly shape: number
  urls: number
  isChanged: boolean
}

/**
 * How many URLs of each shape a crawl has: in memory, and stored with the group of writes in which they were admitted, so
 * that they are exact over restarts and crashes. Rows lie by host, in the order in which hosts were met: those of hosts
 * that are crawled together are neighbours.
 */
export class KeptCounts {
  readonly #fingerprint: (text: string) => number
  readonly #read: Statement
  readonly #counts = new Map<string, Count>()
  #changed: Count[] = []

  constructor(database: Database, fingerprint: (text: string) => number) {
    this.#fingerprint = fingerprint
    this.#read = database.prepare('SELECT urls FROM budget WHERE host = ? AND shape = ?')
    const write = database.prepare('INSERT OR REPLACE INTO budget (host, shape, urls) VALUES (?, ?, ?)')
    database.beforeCommit(() => {
      for (const count of this.#changed) {
        write.run(count.host, count.shape, count.urls)
        count.isChanged = false
      }
      this.#changed = []
      if (this.#counts.size > MAX_IN_MEMORY) this.#counts.clear()
    })
  }

  /** Those of one host. */
  of(host: number): ShapeCounts {
    return {
      count: (shape) => this.#add(this.#countOf(host, shape)),
      join: (group, member, max) => {
        const own = this.#countOf(host, `.${member}`)
        if (own.urls > 0) return true
        const members = this.#countOf(NO_HOST, group)
        if (members.urls >= max) return false
        this.#add(members)
        this.#add(own)
        return true
      },
    }
  }

  #countOf(host: number, text: string): Count {
    const key = `${host} ${text}`
    const known = this.#counts.get(key)
    if (known) return known
    const shape = this.#fingerprint(text)
    const stored = this.#read.get(host, shape) as { urls: number } | undefined
    const count = { host, shape, urls: stored?.urls ?? 0, isChanged: false }
    this.#counts.set(key, count)
    return count
  }

  #add(count: Count): number {
    if (!count.isChanged) this.#changed.push(count)
    count.isChanged = true
    return ++count.urls
  }
}
