import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { type Gate, gate } from '../../gate.ts'
import { decodeBody } from './decode-body.ts'

const limits = { maxBytes: 10 * 1024 * 1024, maxInflation: 200 }
/** Varied enough not to vanish when compressed. */
const page = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `<p>${(i * 2654435761) % 4294967296}</p>`).join(''))

const encoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: zlib.zstdCompressSync,
}

const whole = (body: Buffer) => ({ kind: 'decoded', body, cut: null })

describe('decode body', () => {
  for (const [coding, encode] of Object.entries(encoders)) {
    test(`${coding}: sound bodies are whole`, async () => {
      assert.deepEqual(await decodeBody(encode(page), coding, limits), whole(page))
      assert.deepEqual(await decodeBody(encode(Buffer.alloc(0)), coding, limits), whole(Buffer.alloc(0)))
    })

    test(`${coding}: what is larger than the limit is cut there`, async () => {
      const decoded = await decodeBody(encode(page), coding, { ...limits, maxBytes: 1000 })
      assert.deepEqual(decoded, { kind: 'decoded', body: page.subarray(0, 1000), cut: 'bytes' })
    })

    test(`${coding}: a body cut short gives what can be read of it`, async () => {
      const encoded = encode(page)
      const decoded = await decodeBody(encoded.subarray(0, encoded.length * 0.8), coding, limits)
      assert.ok(decoded.kind === 'decoded' && decoded.cut === 'length')
      assert.ok(decoded.body.length > page.length / 4)
      assert.deepEqual(decoded.body, page.subarray(0, decoded.body.length))
    })

    test(`${coding}: a bomb is stopped`, async () => {
      const decoded = await decodeBody(encode(Buffer.alloc(16 * 1024 * 1024)), coding, limits)
      assert.equal(decoded.kind === 'failed' && decoded.code, 'inflate-too-large')
    })

    test(`${coding}: garbage is a bad encoding, a page sent plain under that name is a page`, async () => {
      const garbage = Buffer.from([0x41, 0xff, 0x00, 0x13, 0x37, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
      const decoded = await decodeBody(garbage, coding, limits)
      assert.equal(decoded.kind === 'failed' && decoded.code, 'bad-encoding')
      const plain = Buffer.from('\ufeff <!doctype html><p>Hello')
      assert.deepEqual(await decodeBody(plain, coding, limits), whole(plain))
    })

    test(`${coding}: any bytes end in an outcome`, async () => {
      const bytes = fc.uint8Array({ maxLength: 200 })
      await fc.assert(
        fc.asyncProperty(bytes, fc.nat(), async (noise, at) => {
          await decodeBody(Buffer.from(noise), coding, limits)
          const broken = encode(page.subarray(0, 3000))
          broken.set(noise.subarray(0, 3), at % (broken.length - 3))
          const { kind } = await decodeBody(broken, coding, limits)
          assert.ok(kind === 'decoded' || kind === 'failed')
        }),
        { numRuns: 50 },
      )
    })
  }

  test('deflate without its frame', async () => {
    assert.deepEqual(await decodeBody(zlib.deflateRawSync(page), 'deflate', limits), whole(page))
  })

  test('gzip in several members, with a name, with a wrong check sum, with junk behind it', async () => {
    const half = page.length / 2
    const members = Buffer.concat([zlib.gzipSync(page.subarray(0, half)), zlib.gzipSync(page.subarray(half))])
    assert.deepEqual(await decodeBody(members, 'gzip', limits), whole(page))
    const wrongSum = zlib.gzipSync(page)
    wrongSum[wrongSum.length - 6]! ^= 0xff
    assert.deepEqual(await decodeBody(wrongSum, 'gzip', limits), whole(page))
    const junk = Buffer.concat([zlib.gzipSync(page), Buffer.from('\n<!-- served by proxy -->')])
    assert.deepEqual(await decodeBody(junk, 'gzip', limits), whole(page))
    const named = zlib.gzipSync(page)
    named[3] = 0x08 | 0x10 | 0x04 | 0x02
    const extras = Buffer.concat([
      Buffer.from([2, 0, 1, 1]),
      Buffer.from('page.html\0a comment\0'),
      Buffer.from([0, 0]),
    ])
    const framed = Buffer.concat([named.subarray(0, 10), extras, named.subarray(10)])
    assert.deepEqual(await decodeBody(framed, 'gzip', limits), whole(page))
  })

  test('a gzip body that lies about its length is read as it is', async () => {
    for (const length of [0, 1, 100, page.length - 1, page.length + 1, 1024 * 1024, 0xffffffff]) {
      const lying = zlib.gzipSync(page)
      lying.writeUInt32LE(length, lying.length - 4)
      assert.deepEqual(await decodeBody(lying, 'gzip', limits), whole(page), String(length))
    }
  })

  test('bodies decoded one after the other do not share their bytes', async () => {
    const first = await decodeBody(zlib.gzipSync('first'), 'gzip', limits)
    const second = await decodeBody(zlib.gzipSync('other'), 'gzip', limits)
    assert.deepEqual([first, second], [whole(Buffer.from('first')), whole(Buffer.from('other'))])
  })

  test('several codings in a row are undone in order', async () => {
    const twice = zlib.brotliCompressSync(zlib.gzipSync(page))
    assert.deepEqual(await decodeBody(twice, 'gzip, br', limits), whole(page))
    assert.deepEqual(await decodeBody(twice, ' GZIP ,identity, Br', limits), whole(page))
  })

  test('a bomb within a bomb is stopped, and so is a row without end', async () => {
    const bomb = zlib.gzipSync(zlib.gzipSync(Buffer.alloc(64 * 1024 * 1024)))
    const decoded = await decodeBody(bomb, 'gzip, gzip', limits)
    assert.equal(decoded.kind === 'failed' && decoded.code, 'inflate-too-large')
    const row = await decodeBody(zlib.gzipSync(page), new Array(50).fill('gzip').join(), limits)
    assert.equal(row.kind === 'failed' && row.code, 'bad-encoding')
  })

  test('no coding, or what is no coding, leaves the bytes as they are', async () => {
    for (const encoding of [undefined, '', 'identity', 'utf-8', 'none', ',,'])
      assert.deepEqual(await decodeBody(page, encoding, limits), whole(page), String(encoding))
  })

  test('a coding that we do not speak is a bad encoding', async () => {
    const decoded = await decodeBody(page, 'compress', limits)
    assert.equal(decoded.kind === 'failed' && decoded.code, 'bad-encoding')
  })

  test('a zstd frame that asks for a window larger than HTTP allows is not given the memory', async () => {
    const params = { [zlib.constants.ZSTD_c_windowLog]: 27, [zlib.constants.ZSTD_c_contentSizeFlag]: 0 }
    const stream = zlib.createZstdCompress({ params })
    stream.end(page)
    const encoded = Buffer.concat(await stream.toArray())
    const decoded = await decodeBody(encoded, 'zstd', limits)
    assert.equal(decoded.kind === 'failed' && decoded.code, 'bad-encoding')
  })

  test('a body too large to be decoded at once is decoded beside the loop, to the same end', async () => {
    const noise = Buffer.from(Array.from({ length: 1_000_000 }, (_, i) => (i * i * 2654435761) >>> 24))
    const decoding = decodeBody(zlib.gzipSync(noise), 'gzip', limits)
    assert.ok(decoding instanceof Promise)
    assert.deepEqual(await decoding, whole(noise))
  })
})

test('bombs that come together are inflated in turn', async () => {
  const bomb = zlib.gzipSync(Buffer.alloc(50_000_000))
  let inside = 0
  let most = 0
  const two = gate(2)
  const lane: Gate = {
    through: (task) =>
      two.through(async () => {
        most = Math.max(most, ++inside)
        const done = await task()
        inside--
        return done
      }),
  }
  const limits = { maxBytes: 10_000_000, maxInflation: 10_000, lane }
  const bodies = await Promise.all(Array.from({ length: 8 }, () => decodeBody(bomb, 'gzip', limits)))
  assert.deepEqual(new Set(bodies.map(({ kind }) => kind)), new Set(['decoded']))
  assert.equal(most, 2)
})
