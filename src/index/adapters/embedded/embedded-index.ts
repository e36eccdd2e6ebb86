import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Database } from '../../../embedded/database.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { excerpt, type TextOf } from '../../excerpt.ts'
import { isEmptyQuery, parseQuery, type SearchQuery, widened } from '../../query.ts'
import type { SearchIndex } from '../../search-index.ts'
import { siteKey } from '../../site-key.ts'
import { type Found, search } from './search.ts'
import { usualLimits, WordIndex } from './word-index.ts'

const SCHEMA = readFileSync(new URL('./schema.sql', import.meta.url), 'utf8')
const chance = () => randomInt(2 ** 32)

/** `fingerprint` answers a safe integer for a text; those of two URLs may be equal. */
export function embeddedIndex(
  database: Database,
  fingerprint: (text: string) => number,
  textOf: TextOf,
  { seed = chance, limits = usualLimits } = {},
): SearchIndex {
  if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'word_log'").get()) database.define(SCHEMA)
  const find = database.prepare('SELECT id FROM document WHERE fingerprint = ? AND url = ? LIMIT 1')
  const insert = database.prepare('INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM document WHERE id = ?')
  // Not before something is written: those who only read have no need of it, and may not.
  let writing: WordIndex | undefined

  function words(): WordIndex {
    database.write()
    if (!writing) {
      writing = new WordIndex(database, seed, limits)
      database.beforeCommit(() => {
        writing!.save()
        writing!.tidy()
      })
    }
    return writing
  }

  function idOf(url: CanonicalUrl): number | undefined {
    return find.get(fingerprint(url), url)?.id as number | undefined
  }

  function drop(id: number): void {
    words().removed(id)
    remove.run(id)
  }

  /** What nothing fits is looked for more widely; that a later page is empty does not mean that nothing fits. */
  function found(query: SearchQuery, limit: number, offset: number): { used: SearchQuery; rows: Found[] } {
    writing?.save()
    const rows = search(database, query, limit, offset)
    const fits = rows.length > 0 || (offset > 0 && search(database, query, 1, 0).length > 0)
    const used = fits ? query : widened(query)
    return { used, rows: fits ? rows : search(database, used, limit, offset) }
  }

  async function excerptOf(url: CanonicalUrl, query: SearchQuery): Promise<string> {
    const page = await textOf(url)
    return page ? excerpt(page, query) : ''
  }

  return {
    async put({ url, host, lang, date, title, description, text }) {
      const before = idOf(url)
      if (before !== undefined) drop(before)
      const id = words().add([title, description, text])
      insert.run(id, fingerprint(url), url, siteKey(host), lang.toLowerCase(), date, title)
    },
    async remove(url) {
      const id = idOf(url)
      if (id !== undefined) drop(id)
    },
    async search(typed, limit, offset = 0) {
      const query = parseQuery(typed)
      if (isEmptyQuery(query)) return []
      const { used, rows } = database.reading(() => found(query, wholeNumber(limit), wholeNumber(offset)))
      return Promise.all(rows.map(async (row) => ({ ...row, excerpt: await excerptOf(row.url, used) })))
    },
    async [Symbol.asyncDispose]() {},
  }
}

function wholeNumber(value: number): number {
  return value >= 1 ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER) : 0
}
