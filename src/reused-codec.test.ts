import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { constants, deflateRawSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { reusedInflate, reusedZstd } from './reused-codec.ts'

const BROKEN = Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff])

// When one of these fails on a new version of Node, crawls still work, at a higher cost.
test('this version of Node has what is needed', () => {
  assert.ok(reusedInflate())
  assert.ok(reusedZstd({}))
})

describe('a reused inflater', () => {
  const inflate = reusedInflate()!
  const output = Buffer.alloc(10_000)

  test('gives every input as if it were the first, also after broken ones', () => {
    const input = fc.oneof(
      fc.uint8Array({ maxLength: 5000 }).map((plain) => ({ plain, sound: true })),
      fc.uint8Array({ maxLength: 50 }).map((plain) => ({ plain, sound: false })),
    )
    fc.assert(
      fc.property(fc.array(input, { maxLength: 8 }), (inputs) => {
        for (const { plain, sound } of inputs) {
          const { bytes } = inflate(sound ? deflateRawSync(plain) : Buffer.from(plain), 0, output)
          if (sound) assert.deepEqual(output.subarray(0, bytes), Buffer.from(plain))
        }
      }),
    )
  })

  test('says how much of the input lies beyond the data, and begins where it is told to', () => {
    const input = Buffer.concat([Buffer.from('head'), deflateRawSync('data'), Buffer.from('beyond')])
    assert.deepEqual(inflate(input, 4, output), { bytes: 4, unreadBytes: 6 })
  })

  test('fails for what is broken, ends early or does not fit with a byte to spare', () => {
    const sound = deflateRawSync(Buffer.alloc(100, 'ab'))
    assert.equal(inflate(BROKEN, 0, output).bytes, -1)
    assert.equal(inflate(sound.subarray(0, -1), 0, output).bytes, -1)
    assert.equal(inflate(Buffer.alloc(0), 0, output).bytes, -1)
    assert.equal(inflate(sound, 0, Buffer.alloc(100)).bytes, -1)
    assert.equal(inflate(sound, 0, Buffer.alloc(101)).bytes, 100)
  })

  test('never writes beyond the output', () => {
    const guarded = Buffer.alloc(64, 7)
    inflate(deflateRawSync(Buffer.alloc(1_000_000)), 0, guarded.subarray(0, 32))
    assert.deepEqual(guarded.subarray(32), Buffer.alloc(32, 7))
  })
})

describe('a reused zstd compressor', () => {
  const compress = reusedZstd({ params: { [constants.ZSTD_c_compressionLevel]: 1 } })!
  const output = Buffer.alloc(10_000)

  test('makes frames that stand alone, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 5000 }), { maxLength: 5 }), (inputs) => {
        for (const plain of inputs) {
          const { bytes } = compress(Buffer.from(plain), 0, output)
          assert.deepEqual(zstdDecompressSync(output.subarray(0, bytes)), Buffer.from(plain))
        }
      }),
    )
  })

  test('begins anew after a result that did not fit', () => {
    const noise = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i * 2654435761) >>> 24))
    assert.equal(compress(noise, 0, Buffer.alloc(1000)).bytes, -1)
    const { bytes } = compress(noise, 0, output)
    assert.deepEqual(zstdDecompressSync(output.subarray(0, bytes)), noise)
  })
})
