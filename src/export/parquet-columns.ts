import type { SchemaElement } from 'hyparquet-writer'

/** A column of a Parquet table: what the file says of it, and its value in a row (`null`: there is none). */
export interface Column<Row> {
  schema(name: string): readonly SchemaElement[]
  cell(row: Row): unknown
}

/** Columns by name, in the order in which they stand in the file. */
export type Columns<Row> = Readonly<Record<string, Column<Row>>>

// Every column may be empty: a column that is required today could never be left out tomorrow.
const leaf = (type: Partial<SchemaElement>) => (name: string) => [
  { name, repetition_type: 'OPTIONAL', ...type } satisfies SchemaElement,
]

const utf8 = leaf({ type: 'BYTE_ARRAY', converted_type: 'UTF8' })
const int64 = leaf({ type: 'INT64' })

export const text = <Row>(cell: (row: Row) => string | null): Column<Row> => ({ schema: utf8, cell })

export const integer = <Row>(cell: (row: Row) => number | null): Column<Row> => ({
  schema: leaf({ type: 'INT32' }),
  cell,
})

export const long = <Row>(cell: (row: Row) => number | null): Column<Row> => ({
  schema: int64,
  cell: (row) => wide(cell(row)),
})

export const yesOrNo = <Row>(cell: (row: Row) => boolean | null): Column<Row> => ({
  schema: leaf({ type: 'BOOLEAN' }),
  cell,
})

/** A moment, in UTC. */
export const moment = <Row>(cell: (row: Row) => number | string | null): Column<Row> => ({
  schema: leaf({ type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }),
  cell: (row) => {
    const at = cell(row)
    return at === null ? null : new Date(at)
  },
})

/** The three-level list that DuckDB, Spark, Athena and BigQuery read as an array of strings. */
export const texts = <Row>(cell: (row: Row) => readonly string[]): Column<Row> => ({
  schema: (name) => [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...utf8('element'),
  ],
  cell,
})

export const archivePlace = <Row>(
  cell: (row: Row) => { readonly file: string; readonly offset: number; readonly length: number } | null,
): Column<Row> => ({
  schema: (name) => [
    { name, repetition_type: 'OPTIONAL', num_children: 3 },
    ...utf8('file'),
    ...int64('offset'),
    ...int64('length'),
  ],
  cell: (row) => {
    const place = cell(row)
    return place && { file: place.file, offset: wide(place.offset), length: wide(place.length) }
  },
})

const wide = (value: number | null) => (value === null ? null : BigInt(value))
