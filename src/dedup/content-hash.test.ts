import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { contentHash, payloadHash } from './content-hash.ts'

const SHA256_OF_TEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

const body = Buffer.from('test')
const sentAs = (rawBody: Buffer) => ({ body, rawBody })
const contentSentAs = (rawBody: Buffer) => contentHash(sentAs(rawBody))

/** The body as gzip, with what a header may hold besides. */
function gzipWith({ time = 0, name = '', comment = '', extra = '', sum = false }): Buffer {
  const plain = gzipSync(body)
  const head = Buffer.from(plain.subarray(0, 10))
  head[3] = (sum ? 2 : 0) | (extra ? 4 : 0) | (name ? 8 : 0) | (comment ? 16 : 0)
  head.writeUInt32LE(time, 4)
  const parts = [head]
  if (extra) parts.push(Buffer.from([extra.length, 0]), Buffer.from(extra))
  for (const text of [name, comment]) if (text) parts.push(Buffer.from(`${text}\0`))
  if (sum) parts.push(Buffer.from([1, 2]))
  return Buffer.concat([...parts, plain.subarray(10)])
}

describe('the content of a page', () => {
  test('is known by the SHA-256 of its body, in hexadecimal', () => {
    assert.equal(contentSentAs(body), SHA256_OF_TEST)
  })

  test('is nothing where the body is empty, since all empty bodies would be duplicates', () => {
    const empty = Buffer.alloc(0)
    assert.equal(contentHash({ body: empty, rawBody: empty }), '')
    assert.equal(contentHash({ body: empty, rawBody: gzipSync(empty) }), '')
  })

  test('is known by what was sent, where it was compressed', () => {
    const packed = brotliCompressSync(body)
    assert.equal(contentSentAs(packed), contentHash({ body: packed, rawBody: packed }))
    assert.notEqual(contentSentAs(packed), contentSentAs(brotliCompressSync('text')))
  })

  test('is the same whenever gzip was made, and of whatever name', () => {
    const plain = contentSentAs(gzipWith({}))
    assert.equal(contentSentAs(gzipWith({ time: 1_700_000_000 })), plain)
    assert.equal(contentSentAs(gzipWith({ name: 'a'.repeat(77) })), plain)
    const full = { time: 5, name: 'index.html', comment: 'hello', extra: 'xyz', sum: true }
    assert.equal(contentSentAs(gzipWith(full)), plain)
  })

  test('differs where gzip holds something else', () => {
    const other = gzipSync('text')
    other.writeUInt32LE(1_700_000_000, 4)
    assert.notEqual(contentSentAs(other), contentSentAs(gzipWith({ time: 1_700_000_000 })))
  })

  test('is the file itself where gzip is no encoding but what was asked for', () => {
    const [one, other] = [gzipWith({ time: 1 }), gzipWith({ time: 2 })]
    assert.notEqual(contentHash({ body: one, rawBody: one }), contentHash({ body: other, rawBody: other }))
  })

  test('has a hash whatever was sent under the name of gzip', () => {
    for (let length = 1; length < 24; length++)
      for (const flags of [0, 4, 8, 16, 31]) {
        const cut = gzipWith({ time: 9 }).subarray(0, length)
        if (length > 3) cut[3] = flags
        assert.match(contentSentAs(cut), /^[0-9a-f]{64}$/)
      }
  })
})

describe('the payload of an answer', () => {
  test('is known by the SHA-256 of exactly what was sent', () => {
    for (const raw of [body, gzipWith({}), gzipWith({ time: 7, name: 'x' }), brotliCompressSync(body)])
      assert.equal(payloadHash(sentAs(raw), contentSentAs(raw)), contentHash({ body: raw, rawBody: raw }))
  })

  test('has a hash where there is no content', () => {
    const rawBody = gzipSync('')
    const hash = contentHash({ body: rawBody, rawBody })
    assert.equal(payloadHash({ body: Buffer.alloc(0), rawBody }, ''), hash)
  })
})
