import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Database, openDatabase } from './database.ts'

/**
 * For conformance suites: a database file of its own for one test, and a function that opens an adapter on it as often
 * as asked. Disposing the adapter closes the file; its folder goes with the test.
 */
export function onTestDatabase<Port extends AsyncDisposable>(
  adapter: (database: Database) => Port,
): (test: TestContext) => () => Promise<Port> {
  return (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-test-'))
    test.after(() => rmSync(folder, { recursive: true, force: true }))
    return async () => {
      const database = openDatabase(join(folder, 'crawl.db'))
      const port = adapter(database)
      const close = port[Symbol.asyncDispose].bind(port)
      port[Symbol.asyncDispose] = async () => {
        await close()
        database[Symbol.dispose]()
      }
      test.after(() => database[Symbol.dispose]())
      return port
    }
  }
}
