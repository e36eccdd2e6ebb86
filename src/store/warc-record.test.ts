import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Exchange } from '../fetch/outcome.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { encodedExchange, exchangeOf, sha256Hex } from './archive.conformance.ts'
import { parseHttpResponse } from './warc-http.ts'
import { parseWarcRecord } from './warc-parse.ts'
import {
  REVISIT_PROFILE,
  type RecordBytes,
  requestRecord,
  responseRecord,
  revisitRecord,
  warcinfoRecord,
} from './warc-record.ts'

const ids = { warcinfo: 'w-1', request: 'q-1', response: 'r-1' }
const sha256 = (bytes: Buffer | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const response = (exchange: Exchange) => responseRecord(exchange, ids, `sha256:${sha256Hex(exchange.rawBody)}`)

function parsed(record: RecordBytes) {
  const bytes = Buffer.concat(record)
  assert.ok(bytes.subarray(-4).equals(Buffer.from('\r\n\r\n')))
  const read = parseWarcRecord(bytes)
  assert.ok(read)
  const head = bytes.toString('utf8', 0, bytes.indexOf('\r\n\r\n')).split('\r\n')
  return { ...read, head, text: read.block.toString('latin1') }
}

describe('a WARC record', () => {
  it('of a response has every field that replay and validation need', () => {
    const { head, block } = parsed(response(exchangeOf('/a?b=1', 'hello')))
    assert.deepEqual(head, [
      'WARC/1.1',
      'WARC-Type: response',
      'WARC-Record-ID: <urn:uuid:r-1>',
      'WARC-Date: 2025-01-31T12:30:15.250Z',
      'WARC-Target-URI: http://example.test/a?b=1',
      'WARC-IP-Address: 192.0.2.7',
      'WARC-Protocol: http/1.1',
      'WARC-Warcinfo-ID: <urn:uuid:w-1>',
      'WARC-Concurrent-To: <urn:uuid:q-1>',
      `WARC-Payload-Digest: ${sha256('hello')}`,
      'Content-Type: application/http; msgtype=response',
      `Content-Length: ${block.length}`,
    ])
    assert.equal(block.toString(), 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\nhello')
  })

  it('of a request points at its response and carries the request line and a Host', () => {
    const record = parsed(requestRecord(exchangeOf('/a?b=1', '', { requestHeaders: [['Accept', '*/*']] }), ids))
    assert.equal(record.type, 'request')
    assert.equal(record.field('WARC-Concurrent-To'), '<urn:uuid:r-1>')
    assert.equal(record.field('WARC-Block-Digest'), sha256(record.block))
    assert.equal(record.field('WARC-Payload-Digest'), undefined)
    assert.equal(record.text, 'GET /a?b=1 HTTP/1.1\r\nHost: example.test\r\nAccept: */*\r\n\r\n')
  })

  it('of a request has its path as it was sent, with the mark of an empty query', () => {
    const { text } = parsed(requestRecord(exchangeOf('/a/b?', 'hello'), ids))
    assert.equal(text.split('\r\n', 1)[0], 'GET /a/b? HTTP/1.1')
  })

  it('of a revisit names the profile, the original and where it lies, and has no body', () => {
    const exchange = exchangeOf('/copy', 'hello')
    const place = { file: '2025-01-31/x.warc.gz', offset: 77, length: 99 }
    const original = {
      recordId: '<urn:uuid:o-1>',
      url: 'http://example.test/o',
      date: '2025-01-30T00:00:00.001Z',
      place,
    }
    const record = parsed(revisitRecord(exchange, ids, sha256('hello'), original))
    assert.equal(record.type, 'revisit')
    assert.equal(record.field('WARC-Profile'), REVISIT_PROFILE)
    assert.equal(record.field('WARC-Refers-To'), '<urn:uuid:o-1>')
    assert.equal(record.field('WARC-Refers-To-Target-URI'), 'http://example.test/o')
    assert.equal(record.field('WARC-Refers-To-Date'), '2025-01-30T00:00:00.001Z')
    assert.equal(record.field('WARC-Refers-To-Filename'), place.file)
    assert.equal(record.field('WARC-Payload-Digest'), sha256('hello'))
    assert.equal(record.field('WARC-Block-Digest'), sha256(record.block))
    assert.ok(record.text.endsWith('\r\n\r\n'))
  })

  it('of a file says who wrote it and to which standard', () => {
    const record = parsed(
      warcinfoRecord('x.warc.gz', 0, 'w-1', { software: 'orbweaver/1', robots: 'obey\r\nforged: 1' }),
    )
    assert.equal(record.type, 'warcinfo')
    assert.equal(record.field('WARC-Filename'), 'x.warc.gz')
    assert.equal(record.field('Content-Type'), 'application/warc-fields')
    assert.match(record.text, /^software: orbweaver\/1\r\nrobots: obey forged: 1\r\nformat: WARC File Format 1\.1\r\n/)
  })

  it('digests the body as it was transferred, not as it was decoded', () => {
    const rawBody = gzipSync('hello')
    const record = parsed(response(encodedExchange('/a', 'hello', 'gzip', rawBody)))
    assert.equal(record.field('WARC-Payload-Digest'), sha256(rawBody))
    assert.ok(parseHttpResponse(record.block)?.rawBody.equals(rawBody))
  })

  it('says in the words of the standard why a body was cut', () => {
    const said = (truncated: Exchange['truncated']) =>
      parsed(response(exchangeOf('/', 'x', { truncated }))).field('WARC-Truncated')
    assert.deepEqual(
      [said('bytes'), said('time'), said('length'), said(null)],
      ['length', 'time', 'disconnect', undefined],
    )
  })

  it('keeps headers apart that chunking or cutting has made untrue', () => {
    const headers = [
      ['transfer-encoding', 'chunked'],
      ['Content-Length', '9999'],
      ['Set-Cookie', 'a'],
      ['Set-Cookie', 'b'],
    ] as const
    const block = parsed(response(exchangeOf('/', 'four', { headers }))).text
    assert.equal(
      block,
      'HTTP/1.1 200 OK\r\nX-Archive-Orig-transfer-encoding: chunked\r\nContent-Length: 4\r\n' +
        'X-Archive-Orig-Content-Length: 9999\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n\r\nfour',
    )
  })

  it('leaves the length alone where no body was to come', () => {
    const headers = [['Content-Length', '9999']] as const
    for (const changes of [{ method: 'HEAD' as const }, { status: 304 }]) {
      const block = parsed(response(exchangeOf('/', '', { headers, ...changes }))).text
      assert.match(block, /\r\nContent-Length: 9999\r\n\r\n$/)
    }
  })

  it('of HTTP/2 has a text head without pseudo headers, and names the protocol', () => {
    const headers = [
      [':status', '200'],
      ['content-type', 'text/plain'],
    ] as const
    const record = parsed(response(exchangeOf('/', 'x', { protocol: 'h2', statusText: '', headers })))
    assert.equal(record.field('WARC-Protocol'), 'h2')
    assert.match(record.text, /^HTTP\/1\.1 200 \r\ncontent-type: text\/plain\r\n\r\nx$/)
  })

  it('cannot be forged through a URL, an address or a header', () => {
    const url = 'http://example.test/\r\nWARC-Type: response' as CanonicalUrl
    const evil = 'x\r\n\r\nWARC/1.1\r\nWARC-Type: warcinfo'
    const record = parsed(
      response(exchangeOf('/', 'x', { url, address: evil, statusText: evil, headers: [[evil, evil]] })),
    )
    assert.equal(record.type, 'response')
    assert.equal(record.head.filter((line) => line.startsWith('WARC-Type')).length, 1)
    assert.equal(parseHttpResponse(record.block)?.headers.length, 1)
  })
})

describe('reading a WARC record', () => {
  it('never throws, whatever the bytes are', () => {
    const samples = [
      '',
      'WARC/1.1',
      'WARC/1.1\r\n\r\n',
      'WARC/1.1\r\nContent-Length: -5\r\n\r\n',
      'WARC/1.1\r\nContent-Length: 1e9\r\n\r\n',
      'HTTP/1.1 200 OK\r\n\r\n',
      'WARC/1.1\r\n: x\r\nno colon\r\nContent-Length: NaN\r\n\r\n',
    ]
    for (const sample of samples) assert.equal(parseWarcRecord(Buffer.from(sample)), undefined, sample)
    for (const block of ['', 'HTTP', 'HTTP/1.1 2', 'nonsense\r\n\r\n'])
      assert.equal(parseHttpResponse(Buffer.from(block)), undefined)
  })
})
