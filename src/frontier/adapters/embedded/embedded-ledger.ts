import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../../embedded/database.ts'
import type { Pace } from '../../../politeness/pace.ts'
import type { Facts } from '../../../store/facts.ts'
import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import { bands } from '../../bands.ts'
import { FirstHosts } from '../../first-hosts.ts'
import type { FrontierCounts } from '../../frontier.ts'
import type {
  DeadFilter,
  HostEntry,
  HostQuery,
  HostSort,
  HostsFound,
  Ledger,
  UrlEntry,
  UrlState,
} from '../../ledger.ts'
import { isSunk } from '../../sinking.ts'
import { deadWhere } from './dead-where.ts'
import { readSums } from './kept-sums.ts'
import { storedTotals } from './totals.ts'
import { findUrl, stored } from './url-rows.ts'

const columns = `u.id, u.url, h.key AS host, u.state, u.band, u.depth, p.url AS parent, u.discovered_at, u.redirects,
  u.attempts, u.due_at, u.reason`
const tables = 'url u JOIN host h ON h.id = u.host LEFT JOIN url p ON p.id = u.parent'
/** Looked at in one turn: some milliseconds. */
const hostsAtOnce = 20_000
const sortColumns: Readonly<Record<HostSort, string>> = {
  urls: 'queued + done + excluded + dead',
  queued: 'queued',
  done: 'done',
  dead: 'dead',
  excluded: 'excluded',
  // The plus keeps SQLite from walking the whole index of names for each slice.
  name: '+key',
  gap: "json_extract(pace, '$.gapMs')",
  next: 'next_touch_at',
}
const stateNames = ['queued', 'done', 'excluded', 'dead'] as const satisfies readonly UrlState[]

/**
 * Reads the frontier's tables, in the crawl's own process or another one. What a crawl that is running has leased shows
 * as queued: leases are not stored.
 */
export function embeddedLedger(database: Database, facts: Facts, fingerprint: (url: string) => number): Ledger {
  async function* entries(where: string, parameters: (string | number)[], limit = -1): AsyncIterable<UrlEntry> {
    const page = database.prepare(`SELECT ${columns} FROM ${tables} WHERE u.id > ? AND ${where} ORDER BY u.id LIMIT ?`)
    let after = 0
    for (let left = limit; left !== 0; ) {
      const size = left < 0 ? 500 : Math.min(500, left)
      const rows = page.all(after, ...parameters, size)
      for (const row of rows) yield entryOf(row)
      if (rows.length < size) return
      after = rows.at(-1)!.id as number
      if (left > 0) left -= rows.length
    }
  }

  function changeDead(filter: DeadFilter, change: string, counter: 'queued' | 'excluded'): number {
    const { where, parameters } = deadWhere(filter)
    const dead = `SELECT u.id FROM url u JOIN host h ON h.id = u.host WHERE ${where}`
    database.write()
    const perHost = database
      .prepare(`SELECT u.host, count(*) AS n FROM url u JOIN host h ON h.id = u.host WHERE ${where} GROUP BY u.host`)
      .all(...parameters)
    const { changes } = database.prepare(`UPDATE url SET ${change} WHERE id IN (${dead})`).run(...parameters)
    const move = database.prepare(`UPDATE host SET dead = dead - ?, ${counter} = ${counter} + ? WHERE id = ?`)
    for (const { host, n } of perHost) move.run(n as number, n as number, host as number)
    if (counter === 'queued') for (const { host } of perHost) forgive(database, host as number)
    database.commit()
    return Number(changes)
  }

  function hostsByName({ order, offset, limit }: HostQuery): HostsFound {
    const { total } = database.prepare('SELECT count(*) AS total FROM host').get() as { total: number }
    const rows = database.prepare(`SELECT * FROM host ORDER BY key ${order} LIMIT ? OFFSET ?`).all(limit, offset)
    return { total, hosts: rows.map(hostEntryOf), ageMs: 0 }
  }

  return {
    async lookup(url) {
      const id = findUrl(database, facts, fingerprint, url)
      if (id === undefined) return undefined
      return entryOf(database.prepare(`SELECT ${columns} FROM ${tables} WHERE u.id = ?`).get(id)!)
    },
    async counts() {
      const { open, byBand: _, ...ended } = storedTotals(database)
      return countsOf({ queued: open, ...ended })
    },
    async sums() {
      return readSums(facts)
    },
    async hosts(limit) {
      const order = 'ORDER BY queued + done + excluded + dead DESC, key LIMIT ?'
      return database.prepare(`SELECT * FROM host ${order}`).all(limit).map(hostEntryOf)
    },
    async host(key) {
      const row = database.prepare('SELECT * FROM host WHERE key = ?').get(key)
      return row && hostEntryOf(row)
    },
    async findHosts(query) {
      const { search, sort, order, offset, limit } = query
      if (sort === 'name' && search === '') return hostsByName(query)
      const first = new FirstHosts(offset + limit, sort, order)
      const fitting = `FROM host WHERE id > ? AND id <= ?${search === '' ? '' : ' AND instr(key, ?) > 0'}`
      const sorted = `SELECT * ${fitting} ORDER BY ${sortColumns[sort]} ${order}, key LIMIT ?`
      const { last } = database.prepare('SELECT ifnull(max(id), 0) AS last FROM host').get() as { last: number }
      let total = 0
      for (let after = 0; after < last; after += hostsAtOnce) {
        const slice = [after, after + hostsAtOnce, ...(search === '' ? [] : [search])]
        total += database.prepare(`SELECT count(*) AS n ${fitting}`).get(...slice)!.n as number
        for (const row of database.prepare(sorted).all(...slice, offset + limit)) first.see(hostEntryOf(row))
        // Of a million hosts: a crawl in the same thread must have its turn.
        if (last > hostsAtOnce) await nextTurn()
      }
      return { total, hosts: first.first.slice(offset), ageMs: 0 }
    },
    urls: (state, limit) => entries('u.state = ?', [stored[state === 'leased' ? 'queued' : state]], limit),
    dead(filter, limit) {
      const { where, parameters } = deadWhere(filter)
      return entries(where, parameters, limit)
    },
    retryDead: async (filter) =>
      changeDead(filter, `state = ${stored.queued}, attempts = 0, due_at = NULL, reason = NULL`, 'queued'),
    dropDead: async (filter) =>
      changeDead(filter, `state = ${stored.excluded}, reason = 'dropped: ' || reason`, 'excluded'),
    async [Symbol.asyncDispose]() {},
  }
}

/** A person says that the host is well again: its circuit closes. What its server asked for still holds. */
function forgive(database: Database, host: number): void {
  const row = database.prepare('SELECT pace, hold FROM host WHERE id = ?').get(host)!
  const pace = JSON.stringify({ ...(JSON.parse(row.pace as string) as Pace), failures: 0 })
  if (row.hold === 'retry-after') database.prepare('UPDATE host SET pace = ? WHERE id = ?').run(pace, host)
  else database.prepare('UPDATE host SET pace = ?, hold = NULL, next_touch_at = 0 WHERE id = ?').run(pace, host)
}

type Row = Record<string, unknown>

function entryOf(row: Row): UrlEntry {
  return {
    url: row.url as CanonicalUrl,
    host: row.host as HostKey,
    state: stateNames[row.state as number]!,
    band: bands[row.band as number]!,
    depth: row.depth as number,
    parent: row.parent as CanonicalUrl | null,
    discoveredAt: row.discovered_at as number,
    redirects: row.redirects as number,
    attempts: row.attempts as number,
    dueAt: row.due_at as number | null,
    reason: row.reason as string | null,
  }
}

function countsOf(row: Row): FrontierCounts {
  const [queued, done, excluded, dead] = [row.queued, row.done, row.excluded, row.dead] as [
    number,
    number,
    number,
    number,
  ]
  return { admitted: queued + done + excluded + dead, queued, leased: 0, done, excluded, dead }
}

function hostEntryOf(row: Row): HostEntry {
  const { gapMs } = JSON.parse(row.pace as string) as Pace
  return {
    host: row.key as HostKey,
    counts: countsOf(row),
    gapMs,
    nextTouchAt: row.next_touch_at as number,
    hold: row.hold as string | null,
    sunk: isSunk({ pages: row.pages as number, copies: row.copies as number }),
  }
}
