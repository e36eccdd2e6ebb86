import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { decodeBody } from './warc-body.ts'

const MIB = 1024 * 1024

describe('decoding a stored body', () => {
  it('yields no more than its limit, however far the bytes would inflate', async () => {
    for (const [name, bomb] of [
      ['gzip', gzipSync(Buffer.alloc(8 * MIB))],
      ['br', brotliCompressSync(Buffer.alloc(8 * MIB))],
    ] as const) {
      assert.equal((await decodeBody(bomb, name, 100_000)).length, 100_000)
    }
  })

  it('yields what can be decoded of a body that was cut', async () => {
    const text = Array.from({ length: 50_000 }, (_, i) => `line ${i}`).join('\n')
    for (const [name, whole] of [
      ['gzip', gzipSync(text)],
      ['zstd', zstdCompressSync(text)],
    ] as const) {
      const decoded = (await decodeBody(whole.subarray(0, whole.length - 20), name, MIB)).toString()
      assert.ok(decoded.length > 0 && text.startsWith(decoded), name)
    }
  })

  it('answers the bytes as they are when they are not what the header says', async () => {
    const plain = Buffer.from('plain text')
    for (const encoding of ['gzip', 'br', 'zstd', 'deflate', 'unheard-of', 'constructor', '', 'identity', ',,']) {
      assert.equal((await decodeBody(plain, encoding, MIB)).toString(), 'plain text', encoding)
    }
  })

  it('undoes a few layers and no more', async () => {
    const encodings = Array.from({ length: 1000 }, () => 'gzip').join(',')
    const decoded = await decodeBody(gzipSync(gzipSync(gzipSync(gzipSync('deep')))), encodings, MIB)
    assert.ok(decoded.equals(gzipSync('deep')))
  })
})
