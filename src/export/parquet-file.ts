import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { Columns } from './parquet-columns.ts'

type Compression = Pick<ConstructorParameters<typeof ParquetWriter>[0], 'codec' | 'compressors'>

/** A Parquet file as it grows: each call answers the bytes that come next. Nothing but the footer to be is kept. */
export class ParquetFile<Row> {
  readonly #columns: Columns<Row>
  readonly #bytes = new ByteWriter()
  readonly #writer: ParquetWriter

  /** `title` names the root of the schema. */
  constructor(title: string, columns: Columns<Row>, compression: Compression = {}) {
    this.#columns = columns
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: schemaOf(title, columns),
      // Statistics would copy the smallest and largest text of every group into the footer.
      statistics: false,
      ...compression,
    })
  }

  /** Of the file so far. */
  get length(): number {
    return this.#bytes.offset
  }

  async rowGroup(rows: readonly Row[]): Promise<Buffer> {
    const columnData = Object.entries(this.#columns).map(([name, column]) => ({
      name,
      data: rows.map((row) => column.cell(row)),
      offsetIndex: false,
    }))
    await this.#writer.write({ columnData, rowGroupSize: rows.length })
    return this.#taken()
  }

  async end(): Promise<Buffer> {
    await this.#writer.finish()
    return this.#taken()
  }

  /** What was written since the last time; offsets inside the file go on counting. */
  #taken(): Buffer {
    const bytes = this.#bytes
    const chunk = Buffer.from(bytes.buffer, 0, bytes.index)
    bytes.buffer = new ArrayBuffer(1024)
    bytes.view = new DataView(bytes.buffer)
    bytes.index = 0
    return chunk
  }
}

function schemaOf<Row>(title: string, columns: Columns<Row>): SchemaElement[] {
  const elements = Object.entries(columns).flatMap(([name, column]) => column.schema(name))
  return [{ name: title, num_children: Object.keys(columns).length }, ...elements]
}
