import type { SearchQuery } from '../../query.ts'
import { siteKey } from '../../site-key.ts'
import { anyOf, matchExpression } from './match-expression.ts'

type Value = string | number

interface Condition {
  readonly sql: string
  readonly values: readonly Value[]
}

/**
 * A parsed query → a statement that takes limit and offset after its values. Best match first; without words to match,
 * newest first. A word in the title counts as much as eight in the text.
 */
export function selection(query: SearchQuery): { readonly sql: string; readonly values: readonly Value[] } {
  const match = matchExpression(query)
  const filtering = filters(query)
  if (match === null) return statement(NEWEST, [...filtering, ...exclusions(query)])
  return statement(filtering.length === 0 ? RANKED : RANKED_FILTERED, [matching(match), ...filtering])
}

function statement(sql: (where: string) => string, conditions: readonly Condition[]) {
  return {
    sql: sql(conditions.map(({ sql }) => sql).join(' AND ')),
    values: conditions.flatMap(({ values }) => values),
  }
}

const SCORE = '-bm25(document_text, 8, 3, 1) AS score'
const NEWEST = (where: string) =>
  `SELECT url, title, 0 AS score FROM document WHERE ${where} ORDER BY date DESC, id DESC LIMIT ? OFFSET ?`
/** Rows are read for the page that is shown, not for every match. */
const RANKED = (where: string) =>
  `SELECT url, title, score FROM
    (SELECT rowid AS id, ${SCORE} FROM document_text WHERE ${where} ORDER BY score DESC, rowid LIMIT ? OFFSET ?)
    JOIN document USING (id) ORDER BY score DESC, id`
const RANKED_FILTERED = (where: string) =>
  `SELECT url, document.title, ${SCORE} FROM document_text JOIN document ON document.id = document_text.rowid
    WHERE ${where} ORDER BY score DESC, document.id LIMIT ? OFFSET ?`

function matching(expression: string): Condition {
  return { sql: 'document_text MATCH ?', values: [expression] }
}

function exclusions({ without }: SearchQuery): Condition[] {
  if (without.length === 0) return []
  const sql = 'id NOT IN (SELECT rowid FROM document_text WHERE document_text MATCH ?)'
  return [{ sql, values: [anyOf(without)] }]
}

function filters(query: SearchQuery): Condition[] {
  const conditions: Condition[] = []
  const { sites, withoutSites, langs, withoutLangs, after, before } = query
  if (sites.length > 0) conditions.push(onSites(sites))
  if (withoutSites.length > 0) conditions.push(not(onSites(withoutSites)))
  if (langs.length > 0) conditions.push(inLangs(langs))
  if (withoutLangs.length > 0) conditions.push(not(inLangs(withoutLangs)))
  if (after !== null) conditions.push({ sql: 'date >= ?', values: [after] })
  if (before !== null) conditions.push({ sql: 'date < ?', values: [before] })
  return conditions
}

// Lists go in as JSON, so that there are few different statements, whatever people ask.
function onSites(sites: readonly string[]): Condition {
  // '/' follows '.', so that the range holds exactly the keys that begin with this one.
  const ranges = sites.map(siteKey).map((key) => [key, `${key.slice(0, -1)}/`])
  const sql = 'EXISTS (SELECT 1 FROM json_each(?) AS wanted WHERE site >= wanted.value->>0 AND site < wanted.value->>1)'
  return { sql, values: [JSON.stringify(ranges)] }
}

function inLangs(langs: readonly string[]): Condition {
  const sql = "substr(lang, 1, instr(lang || '-', '-') - 1) IN (SELECT value FROM json_each(?))"
  return { sql, values: [JSON.stringify(langs)] }
}

function not({ sql, values }: Condition): Condition {
  return { sql: `NOT ${sql}`, values }
}
