import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { gzipMember, memberParts, memberStart, readMember } from './warc-gzip.ts'

const LIMIT = 1024 * 1024
const SIZES = [0, 1, 2047, 2048, 4095, 4096, 65_534, 65_535, 65_536, 131_070, 200_001]

describe('a gzip member', () => {
  it('is read back by zlib and by us, stored or deflated, at every size of block', () => {
    for (const size of SIZES) {
      for (const alreadyCompressed of [true, false]) {
        const parts = [Buffer.from('head'), randomBytes(size), Buffer.from('\r\n\r\n')]
        const member = gzipMember(parts, alreadyCompressed)
        assert.deepEqual(gunzipSync(member), Buffer.concat(parts))
        const read = readMember(member, LIMIT)
        assert.ok(read.kind === 'member')
        assert.equal(read.memberBytes, member.length)
        assert.deepEqual(read.content, Buffer.concat(parts))
      }
    }
  })

  it('costs a few bytes when stored', () => {
    assert.ok(gzipMember([randomBytes(20_000)], true).length < 20_000 + 40)
  })

  it('holds a large body that came compressed as it is, without a copy', () => {
    const body = randomBytes(20_000)
    assert.ok(memberParts([Buffer.from('head'), body], true).includes(body))
  })

  it('is smaller when deflating pays', () => {
    assert.ok(gzipMember([Buffer.alloc(100_000, 'text ')], false).length < 2000)
  })

  it('ends where the next begins', () => {
    const first = gzipMember([Buffer.from('first')], true)
    const second = gzipMember([Buffer.alloc(5000, 'second')], false)
    const both = Buffer.concat([first, second])
    const read = readMember(both, LIMIT)
    assert.ok(read.kind === 'member')
    assert.equal(read.content.toString(), 'first')
    assert.equal(read.memberBytes, first.length)
    const next = readMember(both.subarray(read.memberBytes), LIMIT)
    assert.ok(next.kind === 'member' && next.memberBytes === second.length)
  })

  it('is incomplete, never good, wherever it is cut', () => {
    for (const member of [gzipMember([randomBytes(300)], true), gzipMember([Buffer.alloc(3000, 'ab c')], false)]) {
      for (let cut = 0; cut < member.length; cut++) {
        assert.equal(readMember(member.subarray(0, cut), LIMIT).kind, 'incomplete', `cut at ${cut}`)
      }
    }
  })

  it('is never taken for good with any bit of its content or checksum changed', () => {
    const original = Buffer.alloc(3000, 'ab c')
    for (const member of [gzipMember([original], true), gzipMember([original], false)]) {
      for (let at = 10; at < member.length; at++) {
        const damaged = Buffer.from(member)
        damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << (at % 8)), at)
        const read = readMember(damaged, LIMIT)
        assert.ok(read.kind !== 'member' || read.content.equals(original), `byte ${at}`)
      }
    }
  })

  it('of other tools is read with all optional fields of its header', () => {
    const plain = gzipSync('content')
    const flags = 2 | 4 | 8 | 16
    const head = Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3])
    const fields = Buffer.from('\x04\0abcdname\0comment\0cc', 'latin1')
    const read = readMember(Buffer.concat([head, fields, plain.subarray(10)]), LIMIT)
    assert.ok(read.kind === 'member')
    assert.equal(read.content.toString(), 'content')
  })

  it('that would inflate beyond the limit is refused', () => {
    assert.equal(readMember(gzipSync(Buffer.alloc(LIMIT + 1)), LIMIT).kind, 'damaged')
  })

  it('tells its beginning from its first bytes, and nothing from garbage', () => {
    const member = gzipMember([Buffer.from('WARC/1.1\r\n'), randomBytes(5000)], true)
    assert.ok(memberStart(member.subarray(0, 100)).toString('latin1').startsWith('WARC/1.1'))
    for (const garbage of [Buffer.alloc(0), Buffer.alloc(50, 0x55)]) assert.equal(memberStart(garbage).length, 0)
  })
})
