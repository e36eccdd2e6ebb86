import { blankRecord } from '../store/url-record.fixture.ts'
import type { UrlRecord } from '../store/url-record.ts'

export function recordOf(url: string, changes: Partial<UrlRecord> = {}): UrlRecord {
  return blankRecord(url, {
    title: 'A title',
    keywords: ['one', 'two'],
    lang: 'en',
    text: 'The text.',
    links: ['https://example.com/x', 'https://example.com/y'],
    contentHash: 'ab'.repeat(32),
    simhash: '0123456789abcdef',
    depth: 1,
    fetchedAt: Date.UTC(2025, 0, 31, 12),
    warc: { file: '2025-01-31/x.warc.gz', offset: 2 ** 33, length: 456 },
    ...changes,
  })
}

export async function* scanOf(...records: readonly UrlRecord[]): AsyncGenerator<UrlRecord> {
  yield* records
}

export async function textOf(chunks: AsyncIterable<string | Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk))
  return Buffer.concat(parts).toString()
}
