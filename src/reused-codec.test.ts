import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { constants, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { inflateConformance } from './inflate.conformance.ts'
import { reusedInflate, reusedZstd } from './reused-codec.ts'

// When one of these fails on a new version of Node, crawls still work, at a higher cost.
test('this version of Node has what is needed', () => {
  assert.ok(reusedInflate())
  assert.ok(reusedZstd({}))
})

inflateConformance('a reused inflater', reusedInflate()!)

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
