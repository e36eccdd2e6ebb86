import { readFileSync } from 'node:fs'
import type { Database } from '../../../embedded/database.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { excerpt, type TextOf } from '../../excerpt.ts'
import { isEmptyQuery, parseQuery, type SearchQuery, widened } from '../../query.ts'
import type { SearchDocument, SearchIndex } from '../../search-index.ts'
import { siteKey } from '../../site-key.ts'
import { indexedText } from '../../words.ts'
import { selection } from './selection.ts'

const SCHEMA = readFileSync(new URL('./schema.sql', import.meta.url), 'utf8')

/** `fingerprint` answers a safe integer for a text; those of two URLs may be equal. */
export function embeddedIndex(database: Database, fingerprint: (text: string) => number, textOf: TextOf): SearchIndex {
  if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'document_text'").get()) database.define(SCHEMA)
  const find = database.prepare('SELECT id FROM document WHERE fingerprint = ? AND url = ? LIMIT 1')
  const insert = database.prepare(
    'INSERT INTO document (fingerprint, url, site, lang, date, title) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const update = database.prepare('UPDATE document SET site = ?, lang = ?, date = ?, title = ? WHERE id = ?')
  const remove = database.prepare('DELETE FROM document WHERE id = ?')
  const insertText = database.prepare('INSERT INTO document_text (rowid, title, description, text) VALUES (?, ?, ?, ?)')
  const removeText = database.prepare('DELETE FROM document_text WHERE rowid = ?')

  const smallRowid = database.prepare('INSERT OR REPLACE INTO document_rowid VALUES (0)')

  /**
   * FTS5 notes a removal under a rowid beyond 2^53 when the words are on disk already. While that is the connection's last
   * one, every `run` of whatever statement throws. So this does not `run`, and leaves a small rowid behind.
   */
  function dropText(id: number): void {
    removeText.all(id)
    smallRowid.run()
  }

  function idOf(url: CanonicalUrl): number | undefined {
    return find.get(fingerprint(url), url)?.id as number | undefined
  }

  /** The row of the document, without any text in the index. */
  function prepareRow({ url, host, lang, date, title }: SearchDocument): number {
    const about = [siteKey(host), lang.toLowerCase(), date, title] as const
    const id = idOf(url)
    if (id === undefined) return Number(insert.run(fingerprint(url), url, ...about).lastInsertRowid)
    update.run(...about, id)
    dropText(id)
    return id
  }

  function matches(query: SearchQuery, limit: number, offset: number) {
    const { sql, values } = selection(query)
    const rows = database.prepare(sql).all(...values, wholeNumber(limit), wholeNumber(offset))
    return rows as unknown as { url: CanonicalUrl; title: string; score: number }[]
  }

  /** What nothing fits is looked for more widely; that a later page is empty does not mean that nothing fits. */
  function found(query: SearchQuery, limit: number, offset: number) {
    const rows = matches(query, limit, offset)
    const fits = rows.length > 0 || (wholeNumber(offset) > 0 && matches(query, 1, 0).length > 0)
    const used = fits ? query : widened(query)
    return { used, rows: fits ? rows : matches(used, limit, offset) }
  }

  async function excerptOf(url: CanonicalUrl, query: SearchQuery): Promise<string> {
    const page = await textOf(url)
    return page ? excerpt(page, query) : ''
  }

  return {
    async put(document) {
      database.write()
      const id = prepareRow(document)
      const { title, description, text } = document
      insertText.run(id, indexedText(title), indexedText(description), indexedText(text))
    },
    async remove(url) {
      const id = idOf(url)
      if (id === undefined) return
      database.write()
      dropText(id)
      remove.run(id)
    },
    async search(typed, limit, offset = 0) {
      const query = parseQuery(typed)
      if (isEmptyQuery(query)) return []
      const { used, rows } = found(query, limit, offset)
      return Promise.all(rows.map(async (row) => ({ ...row, excerpt: await excerptOf(row.url, used) })))
    },
    async [Symbol.asyncDispose]() {},
  }
}

function wholeNumber(value: number): number {
  return value >= 1 ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER) : 0
}
