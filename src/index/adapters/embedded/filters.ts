import type { SearchQuery } from '../../query.ts'
import { siteKey } from '../../site-key.ts'

type Value = string | number

/** A part of a WHERE over `document`. */
export interface Condition {
  readonly sql: string
  readonly values: readonly Value[]
}

/** What a question asks for besides words, all of it; `undefined`: nothing. */
export function filters(query: SearchQuery): Condition | undefined {
  const all = conditions(query)
  if (all.length === 0) return undefined
  return { sql: all.map(({ sql }) => sql).join(' AND '), values: all.flatMap(({ values }) => values) }
}

function conditions(query: SearchQuery): Condition[] {
  const all: Condition[] = []
  const { sites, withoutSites, langs, withoutLangs, after, before } = query
  if (sites.length > 0) all.push(onSites(sites))
  if (withoutSites.length > 0) all.push(not(onSites(withoutSites)))
  if (langs.length > 0) all.push(inLangs(langs))
  if (withoutLangs.length > 0) all.push(not(inLangs(withoutLangs)))
  if (after !== null) all.push({ sql: 'date >= ?', values: [after] })
  if (before !== null) all.push({ sql: 'date < ?', values: [before] })
  return all
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
