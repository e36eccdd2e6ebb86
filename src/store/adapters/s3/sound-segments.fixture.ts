import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { cdxEntryOf, cdxjLine } from '../../cdxj.ts'
import { readMember } from '../../warc-gzip.ts'
import { parseWarcRecord } from '../../warc-parse.ts'
import type { ArchiveBucket } from './s3-archive.fixture.ts'
import { indexOfSegment } from './segment-name.ts'

/** All segments are sealed, whole WARC files from the first byte to the last, each with the index that its records give. */
export async function assertSound(bucket: ArchiveBucket): Promise<void> {
  const objects = bucket.objects()
  for await (const { file, bytes, sealed } of bucket.reader(objects).segments()) {
    const content = await objects.get(file)
    assert.equal(sealed, true)
    assert.equal(content?.length, bytes)
    const index = (await objects.get(indexOfSegment(file)))?.toString('latin1')
    assert.equal(index, linesOf(content, basename(file)).sort().join(''))
  }
}

function linesOf(content: Buffer, filename: string): string[] {
  const lines: string[] = []
  const types: string[] = []
  for (let offset = 0; offset < content.length; ) {
    const member = readMember(content.subarray(offset), 1e9)
    assert.ok(member.kind === 'member')
    const record = parseWarcRecord(member.content)
    assert.ok(record)
    types.push(record.type)
    const entry = cdxEntryOf(record, { filename, offset, length: member.memberBytes })
    if (entry) lines.push(`${cdxjLine(entry)}\n`)
    offset += member.memberBytes
  }
  assert.equal(types[0], 'warcinfo')
  assert.equal(types.at(-1), 'response')
  return lines
}
