import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/embedded/database.ts'

/** A folder with a database that is committed when its owner says so, gone when closed. */
export interface Scratch {
  readonly folder: string
  readonly database: Database
  close(): void
}

export function openScratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-stages-'))
  const database = openDatabase(join(folder, 'crawl.sqlite'), { commitEveryMs: 3_600_000 })
  return {
    folder,
    database,
    close() {
      database[Symbol.dispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
