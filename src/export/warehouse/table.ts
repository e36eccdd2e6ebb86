import type { Columns } from '../parquet-columns.ts'

/** A table of the warehouse. Columns may be added, never renamed; names are lower-case, since Athena and Hive know no other. */
export interface Table<Row> {
  readonly name: 'pages' | 'links'
  readonly columns: Columns<Row>
  /** About what a row takes in memory. */
  bytes(row: Row): number
}
