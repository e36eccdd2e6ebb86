import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { probeOf } from '../reading/missing-pages.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { everyKind, selected } from './exported-page.ts'
import { jsonlChunks } from './jsonl.ts'
import { recordOf, scanOf, textOf } from './record.fixture.ts'
import { writeChunks } from './write-chunks.ts'

const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('export as JSON lines', () => {
  it('has exactly the promised fields, in order', async () => {
    const [page] = lines(await textOf(jsonlChunks(scanOf(recordOf('https://example.com/')))))
    assert.deepEqual(
      Object.keys(page).join(),
      'url,finalUrl,status,contentType,title,description,keywords,lang,canonical,publishedAt,text,contentHash,simhash,duplicateOf,nearDuplicateOf,depth,parent,fetchedAt,links,warc',
    )
    assert.equal(page.fetchedAt, '2025-01-31T12:00:00.000Z')
    assert.deepEqual(page.warc, { file: '2025-01-31/x.warc.gz', offset: 2 ** 33, length: 456 })
  })

  it('keeps back the text of a page that asks not to be indexed', async () => {
    const [page] = lines(await textOf(jsonlChunks(scanOf(recordOf('https://example.com/', { noindex: true })))))
    assert.equal(page.text, '')
    assert.equal(page.title, 'A title')
  })

  it('stays one line a page for hostile values', async () => {
    const evil = '"\n\r\u2028\u0000\ud800</script>'
    const text = await textOf(jsonlChunks(scanOf(recordOf('https://example.com/', { title: evil, text: evil }))))
    assert.equal(text.split('\n').length, 2)
    assert.equal(lines(text)[0].title, evil)
  })

  it('is of pages unless other kinds are asked for', async () => {
    const records = () => scanOf(recordOf('https://a.com/'), recordOf('https://b.com/', { kind: 'redirect' }))
    assert.equal(lines(await textOf(jsonlChunks(selected(records())))).length, 1)
    const probe = recordOf(probeOf('https://example.com/a' as CanonicalUrl), { kind: 'other' })
    assert.equal(await textOf(jsonlChunks(selected(scanOf(probe), everyKind))), '')
    assert.equal(lines(await textOf(jsonlChunks(selected(records(), ['page', 'redirect'])))).length, 2)
  })

  it('of nothing is empty', async () => {
    assert.equal(await textOf(jsonlChunks(scanOf())), '')
  })

  it('reads no further ahead than the reader takes', async () => {
    let read = 0
    async function* many() {
      for (; read < 10_000; read++) yield recordOf(`https://example.com/${read}`, { text: 'x'.repeat(10_000) })
    }
    let taken = 0
    let furthest = 0
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _, done) {
        taken += chunk.length
        furthest = Math.max(furthest, read * 10_000 - taken)
        setImmediate(done)
      },
    })
    await writeChunks(jsonlChunks(many()), slow)
    assert.equal(read, 10_000)
    assert.ok(furthest < 1_000_000, `${furthest} characters ahead`)
  })

  it('reports a reader that has gone away', async () => {
    const gone = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) })
    await assert.rejects(writeChunks(jsonlChunks(scanOf(recordOf('https://example.com/'))), gone), /EPIPE/)
  })
})
