import { readFileSync } from 'node:fs'
import type { Database } from '../../../embedded/database.ts'

/** What is certain about one file of the archive; `schema.sql` explains the fields. */
export interface FileState {
  readonly file: string
  readonly bytes: number
  readonly indexBytes: number
  readonly syncedBytes: number
  readonly sealed: boolean
}

/** Responses at these offsets of a file are gone; nothing else will ever be stored there. */
export interface LostRange {
  readonly file: string
  readonly fromOffset: number
  readonly toOffset: number
}

/** The archive's tables in the shared database. Writes join the current group. */
export interface Catalog {
  files(): readonly FileState[]
  save(state: FileState): void
  remove(file: string): void
  lost(): readonly LostRange[]
  addLost(range: LostRange): void
  forgetLost(): void
}

export function openCatalog(database: Database): Catalog {
  database.define(readFileSync(new URL('./schema.sql', import.meta.url), 'utf8'))
  const writing = (sql: string) => {
    database.write()
    return database.prepare(sql)
  }
  return {
    files: () => committedFiles(database),
    save({ file, bytes, indexBytes, syncedBytes, sealed }) {
      writing('INSERT OR REPLACE INTO archive_files VALUES (?, ?, ?, ?, ?)').run(
        file,
        bytes,
        indexBytes,
        Math.min(syncedBytes, bytes),
        sealed ? 1 : 0,
      )
    },
    remove: (file) => void writing('DELETE FROM archive_files WHERE file = ?').run(file),
    lost: () => database.prepare('SELECT * FROM archive_lost ORDER BY file, from_offset').all().map(lostRange),
    addLost({ file, fromOffset, toOffset }) {
      writing('INSERT OR REPLACE INTO archive_lost VALUES (?, ?, ?)').run(file, fromOffset, toOffset)
    },
    forgetLost: () => void writing('DELETE FROM archive_lost').run(),
  }
}

/** The files and the lengths that count, also of a database that is open for reading only. Empty: nothing was archived. */
export function committedFiles(database: Database): readonly FileState[] {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'archive_files'").get()
  return table ? database.prepare('SELECT * FROM archive_files ORDER BY file').all().map(fileState) : []
}

type Row = Readonly<Record<string, unknown>>

const fileState = (row: Row): FileState => ({
  file: String(row.file),
  bytes: Number(row.bytes),
  indexBytes: Number(row.index_bytes),
  syncedBytes: Number(row.synced_bytes),
  sealed: row.sealed === 1,
})

const lostRange = (row: Row): LostRange => ({
  file: String(row.file),
  fromOffset: Number(row.from_offset),
  toOffset: Number(row.to_offset),
})
