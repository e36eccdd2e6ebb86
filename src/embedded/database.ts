import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { newGroup, safeGroups } from '../monitor/events.ts'
import { guardStatement, type Statement } from './statement.ts'
import { StorageError, storageError } from './storage-error.ts'

/**
 * One SQLite file behind all embedded adapters. Writes of all of them gather in one transaction that is committed a few
 * times a second (group commit), so that frontier, records and index always agree: after a crash all of them stand at
 * the same moment. Whoever keeps state outside the file (the archive's bytes, hosts in memory) writes it in a
 * `beforeCommit` hook; hooks run in the order of their registration.
 */
export interface Database extends Disposable {
  /** A prepared statement, cached by its text. Call `write()` before running one that changes anything. */
  prepare(sql: string): Statement
  /**
   * Rows as arrays, for reading millions of them. `sql` answers rows that begin with their id, in rising order, and takes
   * two numbers: the id after which to begin, and how many. Writes may come in between.
   */
  scan(sql: string, after?: number): Iterable<readonly SQLOutputValue[]>
  /** Runs statements that define tables, all or none, at once or as part of the group that is open. */
  define(sql: string): void
  /** Joins the current group of writes, or begins one. Throws the failure that ended the last group, if any. */
  write(): void
  beforeCommit(hook: () => void): void
  /** What `act` reads by several statements is of one moment, whatever another process writes meanwhile. */
  reading<T>(act: () => T): T
  /**
   * Commits the current group as soon as the present turn of the event loop is over: in the middle of one, what belongs
   * together (a record, its settlement, its count) may be half done.
   */
  hasten(): void
  /** Commits the current group now. Throws a StorageError when that fails: then the group is rolled back for good. */
  commit(): void
  /** Called at most once, when a commit on the timer fails: the crawl must stop. */
  onFailure: (error: Error) => void
}

export interface DatabaseOptions {
  readonly readOnly?: boolean
  readonly commitEveryMs?: number
  /** Survive a power cut, not only a killed process: every commit waits for the disk. */
  readonly powerSafe?: boolean
}

export function openDatabase(path: string, options: DatabaseOptions = {}): Database {
  const { readOnly = false, commitEveryMs = 200, powerSafe = false } = options
  const connection = guarded(path, () => new DatabaseSync(path, { readOnly, timeout: 5000 }))
  const statements = new Map<string, Statement>()
  const hooks: (() => void)[] = []
  let inGroup = false
  let failure: Error | undefined
  let timer: NodeJS.Timeout | undefined
  let commits = 0
  let group = 0

  guarded(path, () => {
    connection.exec('PRAGMA temp_store = MEMORY')
    if (!readOnly) {
      connection.exec(`PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 2000`)
      connection.exec(`PRAGMA synchronous = ${powerSafe ? 'FULL' : 'NORMAL'}`)
    }
    fitCache()
  })

  /** A sixteenth of the file: a small crawl shall not take the memory of a large one. */
  function fitCache(): void {
    const { page_count: pages } = connection.prepare('PRAGMA page_count').get() as { page_count: number }
    const { page_size: pageBytes } = connection.prepare('PRAGMA page_size').get() as { page_size: number }
    const kib = (pages * pageBytes) / 1024 / cacheShare
    connection.exec(`PRAGMA cache_size = -${Math.round(Math.min(maxCacheKib, Math.max(minCacheKib, kib)))}`)
  }

  /**
   * A fault of the storage ends the group, whoever catches it: what is left of it is half of something. On a full disk
   * SQLite gives up the whole of it by itself, and would commit each later statement alone.
   */
  function spoiled(error: unknown): Error {
    const known = storageError(path, error)
    if (inGroup && known instanceof StorageError) rollBack(known)
    return known
  }

  function rollBack(because: Error): void {
    clearTimeout(timer)
    inGroup = false
    failure = because
    if (connection.isTransaction) connection.exec('ROLLBACK')
  }

  function define(sql: string): void {
    const alone = !readOnly && !connection.isTransaction
    // Deferred: where all is defined already, it waits for no other writer.
    if (alone) connection.exec('BEGIN')
    try {
      connection.exec(sql)
      if (alone) connection.exec('COMMIT')
    } catch (error) {
      if (alone && connection.isTransaction) connection.exec('ROLLBACK')
      throw error
    }
  }

  function commit() {
    clearTimeout(timer)
    timer = undefined
    if (failure) throw failure
    if (!inGroup) return
    try {
      for (const hook of hooks) hook()
      connection.exec('COMMIT')
      inGroup = false
      safeGroups.tell({ group, phase: 'safe' })
      if (++commits % commitsPerFit === 0) fitCache()
    } catch (error) {
      const known = storageError(path, error)
      rollBack(known)
      safeGroups.tell({ group, phase: 'failed' })
      throw known
    }
  }

  function commitAfter(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      try {
        commit()
      } catch (error) {
        database.onFailure(error as Error)
      }
    }, ms)
  }

  const database: Database = {
    *scan(sql, after = 0) {
      const page = guarded(path, () => connection.prepare(sql))
      page.setReturnArrays(true)
      for (let last = after; ; ) {
        const rows = guarded(path, () => page.all(last, scanRows)) as unknown as SQLOutputValue[][]
        yield* rows
        if (rows.length < scanRows) return
        last = rows.at(-1)![0] as number
      }
    },
    prepare(sql) {
      let statement = statements.get(sql)
      if (!statement) {
        statement = guarded(path, () => guardStatement(connection.prepare(sql), spoiled))
        statements.set(sql, statement)
      }
      return statement
    },
    define: (sql) => guarded(path, () => define(sql)),
    write() {
      if (failure) throw failure
      if (inGroup) return
      guarded(path, () => connection.exec('BEGIN IMMEDIATE'))
      inGroup = true
      safeGroups.tell({ group: (group = newGroup()), phase: 'began' })
      commitAfter(commitEveryMs)
    },
    hasten() {
      if (inGroup) commitAfter(0)
    },
    beforeCommit: (hook) => hooks.push(hook),
    reading(act) {
      if (connection.isTransaction) return act()
      guarded(path, () => connection.exec('BEGIN'))
      try {
        return act()
      } finally {
        connection.exec('ROLLBACK')
      }
    },
    commit,
    onFailure: (error) => {
      throw error
    },
    [Symbol.dispose]() {
      clearTimeout(timer)
      if (!connection.isOpen) return
      try {
        if (!failure) commit()
      } finally {
        connection.close()
      }
    },
  }
  return database
}

const scanRows = 1000
/** The cache is fitted to the size of the file at opening, and then every so many commits. */
const commitsPerFit = 50
const cacheShare = 16
const minCacheKib = 8 * 1024
const maxCacheKib = 32 * 1024

function guarded<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw storageError(path, error)
  }
}
