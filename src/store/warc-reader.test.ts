import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { ArchiveFolder } from './adapters/files/file-archive.fixture.ts'
import { encodedExchange, exchangeOf } from './archive.conformance.ts'
import { indexPartPath, indexPath, rebuildIndexPart } from './cdxj-index.ts'
import { gzipMember } from './warc-gzip.ts'
import { parseWarcRecord } from './warc-parse.ts'
import { readMembers } from './warc-reader.ts'

function membersOf(bytes: Buffer, from = 0, to = bytes.length) {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-reader-'))
  const path = join(folder, 'x.warc.gz')
  writeFileSync(path, bytes)
  const fd = openSync(path, 'r')
  try {
    return [...readMembers(fd, from, to)]
  } finally {
    closeSync(fd)
    rmSync(folder, { recursive: true })
  }
}

describe('the members of a WARC file', () => {
  it('are all found, also those larger than what is read at once', () => {
    const contents = [10, 3_000_000, 0, 1_048_576, 5_000_000, 70_000].map((size) => randomBytes(size))
    const members = contents.map((content, i) => gzipMember([content], i % 2 === 0))
    const found = membersOf(Buffer.concat(members))
    assert.deepEqual(
      found.map((member) => member.length),
      members.map((member) => member.length),
    )
    for (const [i, member] of found.entries()) assert.ok(member.content.equals(contents[i]!))
  })

  it('end at the first that is damaged, and at the end that was asked for', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((text) => gzipMember([Buffer.from(text)], true)) as [Buffer, Buffer, Buffer]
    const damaged = Buffer.from(b)
    damaged.writeUInt8(damaged.readUInt8(15) ^ 1, 15)
    assert.equal(membersOf(Buffer.concat([a, damaged, c])).length, 1)
    assert.equal(membersOf(Buffer.concat([a, b, c]), 0, a.length + 5).length, 1)
    assert.equal(membersOf(Buffer.concat([a, b, c]), a.length).length, 2)
    assert.equal(membersOf(Buffer.from('no gzip at all')).length, 0)
    assert.equal(membersOf(Buffer.alloc(0)).length, 0)
  })
})

describe('a file of the archive', () => {
  it('is one gzip stream of WARC records, whose index points at each response and can be made again from it', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open()
    const body = 'text '.repeat(2000)
    const original = encodedExchange('/c', body, 'gzip', gzipSync(body))
    const places = [
      await opened.store(exchangeOf('/z', body)),
      await opened.store(original),
      await opened.store({ ...original, startedAt: original.startedAt + 1000 }, original),
      await opened.store(exchangeOf('/B?b=1&a=2', '', { status: 404, headers: [] })),
    ]
    await opened.close()
    const path = folder.path(places[0]!)
    const fd = openSync(path, 'r')
    const bytes = readFileSync(path)
    const types = [...readMembers(fd, 0, bytes.length)].map(({ content }) => parseWarcRecord(content)?.type)
    closeSync(fd)
    const expected = ['response', 'response', 'revisit', 'response'].flatMap((type) => ['request', type])
    assert.deepEqual(types, ['warcinfo', ...expected])
    assert.equal(gunzipSync(bytes).toString('latin1').split('\r\n\r\nWARC/1.1\r\n').length, 9)

    const lines = readFileSync(indexPath(path), 'utf8').trimEnd().split('\n')
    assert.deepEqual(lines, lines.toSorted())
    const entries = lines.map((line) => JSON.parse(line.slice(line.indexOf('{'))))
    assert.deepEqual(
      entries.map(({ mime, status }) => `${mime} ${status}`),
      ['unk 404', 'text/html 200', 'warc/revisit 200', 'text/html 200'],
    )
    for (const { offset, length, url, digest } of entries) {
      const record = parseWarcRecord(gunzipSync(bytes.subarray(Number(offset), Number(offset) + Number(length))))
      assert.equal(record?.field('WARC-Target-URI'), url)
      assert.equal(record?.field('WARC-Payload-Digest'), digest)
    }
    const written = readFileSync(indexPartPath(path), 'utf8')
    rebuildIndexPart(path)
    assert.equal(readFileSync(indexPartPath(path), 'utf8'), written)
  })
})
