import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gunzipSync } from 'node:zlib'
import { parseHttpResponse } from '../src/store/warc-http.ts'
import { type ParsedRecord, parseWarcRecord } from '../src/store/warc-parse.ts'
import { readMembers } from '../src/store/warc-reader.ts'
import { type Suite, Tally } from './suite.ts'

const FOLDER = 'test/data'

/** Files that are wrong on purpose. */
const FLAWED: Readonly<Record<string, string>> = {
  'example-bad-non-chunked.warc.gz': 'all records are one gzip member: none can be read by its offset, as ours are',
  'example-wrong-chunks.warc.gz': 'gzip members end in the middle of records: none can be read by its offset',
  'example-bad.warc.gz.bad': 'the file is damaged: reading ends where the damage begins',
  'example-trunc.warc': 'a record is shorter than it says: reading ends there',
  'example-digest.warc': 'the digest in the file is wrong on purpose',
  'example-iana.org-chunked.warc': 'the digests in the file are not those of its bytes, as warcio’s tests say too',
  'example-space-in-target-uri.warc.gz': 'the digest in the file is not that of its bytes',
}

/** Archives of other programs, read by ours: every record, its digest, and the HTTP response in it. */
export const otherArchives: Suite = {
  title: 'WARC: the archives that warcio is tested with',
  subject: '`src/store/warc-reader.ts`, `warc-parse.ts`, `warc-http.ts`',
  repository: 'webrecorder/warcio',
  commit: '2a797aa8c6d67e70966ce9d1a690208ab250fbe7',
  paths: [FOLDER],
  run(folder) {
    const tally = new Tally()
    for (const file of readdirSync(join(folder, FOLDER)).filter((name) => name.includes('.warc'))) {
      const path = join(folder, FOLDER, file)
      const bytes = readFileSync(path)
      const isGzip = bytes[0] === 0x1f
      const expected = headsIn(isGzip ? inflated(bytes) : bytes)
      const records = isGzip ? recordsIn(path) : plainRecords(bytes)
      tally.check(records.length === expected, `${file}: ${expected} records`, FLAWED[file])
      for (const [index, record] of records.entries()) checkRecord(tally, file, index + 1, record)
    }
    tally.notes.push('ARC files, the format before WARC, are not read.')
    return tally
  },
}

const headsIn = (bytes: Buffer) => bytes.toString('latin1').split(/^WARC\/1\.[01]\r\n/m).length - 1

/** A damaged end counts as far as it can be inflated. */
function inflated(bytes: Buffer): Buffer {
  return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
}

function recordsIn(path: string): ParsedRecord[] {
  const file = openSync(path, 'r')
  try {
    return [...readMembers(file, 0, statSync(path).size)].flatMap(({ content }) => parseWarcRecord(content) ?? [])
  } finally {
    closeSync(file)
  }
}

function plainRecords(bytes: Buffer): ParsedRecord[] {
  const records: ParsedRecord[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const record = parseWarcRecord(rest)
    if (record === undefined) break
    records.push(record)
    const end = record.block.byteOffset - rest.byteOffset + record.block.length
    rest = rest.subarray(Math.min(rest.length, end + 4))
  }
  return records
}

function checkRecord(tally: Tally, file: string, number: number, record: ParsedRecord): void {
  const name = `${file}: record ${number}`
  tally.check(/^[a-z]+$/.test(record.type), `${name}: type`)
  const digest = record.field('WARC-Block-Digest')
  if (digest?.startsWith('sha1:'))
    tally.check(digest.slice(5) === base32(sha1(record.block)), `${name}: block digest`, FLAWED[file])
  if (record.type !== 'response' || !record.field('Content-Type')?.includes('http')) return
  const response = parseHttpResponse(record.block)
  tally.check(response !== undefined && response.status >= 100, `${name}: HTTP response`)
}

const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest()

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)]!)
}
