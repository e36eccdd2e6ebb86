import type { Database } from '../../../embedded/database.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { SearchQuery } from '../../query.ts'
import { filters } from './filters.ts'
import { logSource } from './log-source.ts'
import { type Phrase, phraseOf } from './matches.ts'
import { bestFirst, idsHavingAny, ranked } from './ranking.ts'
import { segmentSource } from './segment-source.ts'
import { liveSegments } from './segments.ts'
import type { Source } from './source.ts'

export interface Found {
  readonly url: CanonicalUrl
  readonly title: string
  readonly score: number
}

/** Best match first; without words to match, newest first. */
export function search(database: Database, query: SearchQuery, limit: number, offset: number): Found[] {
  if (limit === 0) return []
  const hits = query.terms.length === 0 ? newest(database, query) : best(database, query, offset + limit)
  return [...hits.drop(offset).take(limit)]
}

function* best(database: Database, query: SearchQuery, wanted: number): Generator<Found, undefined> {
  const phrases = query.terms.map(phraseOf)
  const without = query.without.map(phraseOf)
  const { sources, all } = everything(database, [...phrases, ...without])
  const slices = bestFirst(ranked(sources(), phrases, without, all), wanted)
  let passing: ReadonlySet<number> | undefined
  for (const slice of slices) {
    const candidates = passing ? slice.filter(({ id }) => passing!.has(id)) : slice
    const rows = rowsOf(
      database,
      query,
      candidates.map(({ id }) => id),
    )
    for (const { id, score } of candidates) {
      const row = rows.get(id)
      if (row) yield { ...row, score }
    }
    // Few pass: it costs less to know all that do than to ask for each.
    passing ??= idsPassing(database, query)
  }
}

function idsPassing(database: Database, query: SearchQuery): ReadonlySet<number> | undefined {
  const filter = filters(query)
  if (!filter) return undefined
  const rows = database.prepare(`SELECT id FROM document WHERE ${filter.sql}`).all(...filter.values)
  return new Set(rows.map(({ id }) => id as number))
}

type Row = Pick<Found, 'url' | 'title'>

/** Of those that are there still and pass the filters. Ids go in as JSON, so that there are few different statements. */
function rowsOf(database: Database, query: SearchQuery, ids: readonly number[]): Map<number, Row> {
  const filter = filters(query)
  const where = `id IN (SELECT value FROM json_each(?))${filter ? ` AND ${filter.sql}` : ''}`
  const rows = database
    .prepare(`SELECT id, url, title FROM document WHERE ${where}`)
    .all(JSON.stringify(ids), ...(filter?.values ?? []))
  return new Map(rows.map(({ id, url, title }) => [id as number, { url: url as CanonicalUrl, title: title as string }]))
}

function* newest(database: Database, query: SearchQuery): Generator<Found, undefined> {
  const without = query.without.map(phraseOf)
  const excluded = without.length > 0 ? idsHavingAny(everything(database, without).sources(), without) : new Set()
  const filter = filters(query)
  const where = filter ? `WHERE ${filter.sql}` : ''
  const sql = `SELECT id, url, title FROM document ${where} ORDER BY date DESC, id DESC`
  for (const { id, url, title } of database.prepare(sql).iterate(...(filter?.values ?? [])))
    if (!excluded.has(id)) yield { url: url as CanonicalUrl, title: title as string, score: 0 }
}

/** Where to look for phrases, one source at a time, and how much there is in all of them. */
function everything(database: Database, phrases: readonly Phrase[]) {
  const segments = liveSegments(database)
  const log = logSource(
    database,
    phrases.flatMap(({ tokens }) => tokens),
  )
  function* sources(): Generator<Source> {
    for (const segment of segments) yield segmentSource(database, segment)
    if (log.documents > 0) yield log
  }
  const all = { documents: log.documents, words: log.words }
  for (const { documents, words } of segments) {
    all.documents += documents
    all.words += words
  }
  return { sources, all }
}
