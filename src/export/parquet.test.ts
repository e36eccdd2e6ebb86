import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { parquetChunks } from './parquet.ts'
import { recordOf, scanOf } from './record.fixture.ts'

async function written(...args: Parameters<typeof parquetChunks>): Promise<ArrayBuffer> {
  const chunks: Buffer[] = []
  for await (const chunk of parquetChunks(...args)) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks)).buffer
}

describe('export as Parquet', () => {
  it('is read back with types, lists and the place in the archive', async () => {
    const file = await written(
      scanOf(
        recordOf('https://example.com/é', { keywords: [] }),
        recordOf('https://b.com/', { status: null, warc: null }),
      ),
    )
    const [first, second] = await parquetReadObjects({ file })
    assert.equal(first?.url, 'https://example.com/é')
    assert.deepEqual(first?.fetchedAt, new Date(Date.UTC(2025, 0, 31, 12)))
    assert.deepEqual(first?.links, ['https://example.com/x', 'https://example.com/y'])
    assert.deepEqual(first?.keywords, [])
    assert.deepEqual(first?.warc, { file: '2025-01-31/x.warc.gz', offset: 2n ** 33n, length: 456n })
    assert.equal(second?.status, null)
    assert.equal(second?.warc ?? null, null)
  })

  it('keeps row groups within their bounds', async () => {
    const records = Array.from({ length: 25 }, (_, i) =>
      recordOf(`https://e.com/${i}`, { text: i >= 20 ? 'x'.repeat(900) : 'x' }),
    )
    const file = await written(scanOf(...records), { rows: 10, chars: 1000 })
    const groups = parquetMetadata(file).row_groups.map((group) => Number(group.num_rows))
    assert.equal(
      groups.reduce((sum, rows) => sum + rows, 0),
      25,
    )
    assert.ok(groups.length > 3 && groups.every((rows) => rows <= 10))
    const rows = await parquetReadObjects({ file })
    assert.deepEqual(
      rows.map((row) => row.url),
      records.map((record) => record.url),
    )
  })

  it('of nothing is a valid file without rows', async () => {
    assert.equal(parquetMetadata(await written(scanOf())).num_rows, 0n)
  })

  it('takes hostile texts', async () => {
    const title = '\0\ud800 "\n'
    const [row] = await parquetReadObjects({
      file: await written(scanOf(recordOf('https://e.com/', { title, noindex: true }))),
    })
    assert.equal(row?.title, '\0\ufffd "\n')
    assert.equal(row?.text, '')
  })
})
