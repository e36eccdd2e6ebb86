import type { UrlRecord } from '../store/url-record.ts'
import { exportedPage } from './exported-page.ts'
import { type Chunks, joined } from './write-chunks.ts'

/** One page a line. */
export const jsonlChunks = (records: AsyncIterable<UrlRecord>): Chunks => joined(jsonLines(records))

async function* jsonLines(records: AsyncIterable<UrlRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(exportedPage(record))}\n`
}
