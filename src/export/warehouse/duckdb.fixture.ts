import { DuckDBInstance } from '@duckdb/node-api'

type Row = Record<string, unknown>

export interface Duck extends Disposable {
  /** Runs statements, and answers the rows of the last. Whole numbers are numbers, moments and dates ISO 8601. */
  query(sql: string): Promise<Row[]>
}

export async function openDuck(): Promise<Duck> {
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  return {
    async query(sql) {
      const reader = await connection.runAndReadAll(sql)
      return reader.getRowObjectsJson() as Row[]
    },
    [Symbol.dispose]() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
