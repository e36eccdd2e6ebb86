import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constants, deflateRawSync, gzipSync } from 'node:zlib'
import { inflateConformance } from '../../../inflate.conformance.ts'
import { giveBackBuffer } from '../../body-buffers.ts'
import { decodeBody } from '../decode-body.ts'
import { MAX_INPUT_BYTES, MAX_OUTPUT_BYTES } from './layout.ts'
import { borrowOutput, wasmInflate } from './wasm-inflate.ts'

const inflate = wasmInflate()!

inflateConformance('the inflater in WebAssembly', inflate)

test('an output as large as the inflater allows is given, a larger one refused, and then it works as before', () => {
  const output = Buffer.alloc(MAX_OUTPUT_BYTES * 2)
  const largest = Buffer.alloc(MAX_OUTPUT_BYTES, 'large ')
  assert.equal(inflate(deflateRawSync(largest), 0, output).bytes, MAX_OUTPUT_BYTES)
  assert.ok(output.subarray(0, MAX_OUTPUT_BYTES).equals(largest))
  const bombs = [Buffer.alloc(MAX_OUTPUT_BYTES + 1), Buffer.alloc(64 * 1024 * 1024), Buffer.alloc(3_000_000, 'bomb')]
  for (const bomb of bombs) assert.equal(inflate(deflateRawSync(bomb), 0, output).bytes, -1)
  assert.equal(inflate(deflateRawSync(largest), 0, output).bytes, MAX_OUTPUT_BYTES)
})

test('an input as large as the inflater allows is read to its end, a larger one refused', () => {
  const output = Buffer.alloc(MAX_OUTPUT_BYTES)
  const noise = Buffer.from(Uint8Array.from({ length: 500_000 }, (_, i) => (i * i * 2654435761) >>> 24))
  const data = deflateRawSync(noise, { level: 0 })
  const filled = Buffer.concat([data, Buffer.alloc(MAX_INPUT_BYTES - data.length)])
  assert.deepEqual(inflate(filled, 0, output), { bytes: noise.length, unreadBytes: filled.length - data.length })
  assert.equal(inflate(Buffer.concat([filled, Buffer.alloc(1)]), 0, output).bytes, -1)
  assert.equal(inflate(Buffer.concat([Buffer.alloc(1), filled]), 1, output).bytes, noise.length)
})

test('an input that ends early is refused, though what was inflated before lies behind it', () => {
  const output = Buffer.alloc(MAX_OUTPUT_BYTES)
  const whole = deflateRawSync(Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251)))
  assert.equal(inflate(whole, 0, output).bytes, 5000)
  for (let end = 0; end < whole.length; end++) assert.equal(inflate(whole.subarray(0, end), 0, output).bytes, -1)
})

test('many small blocks and then large ones are given, with symbols joined for some of them only', () => {
  const output = Buffer.alloc(MAX_OUTPUT_BYTES)
  const words = Array.from({ length: 9000 }, (_, i) => `<p class="c${i % 7}">${(i * 2654435761) % 65521}</p>`).join('')
  const sizes = Array.from({ length: 60 }, (_, i) => (i < 40 ? 900 : 40_000))
  const pieces = sizes.map((size, i) => Buffer.from(words.slice(i * 900, i * 900 + size)))
  const plain = Buffer.concat(pieces)
  const blocks = pieces.map((piece) => deflateRawSync(piece, { finishFlush: constants.Z_SYNC_FLUSH }))
  const input = Buffer.concat([...blocks, deflateRawSync('')])
  assert.deepEqual(inflate(input, 0, output), { bytes: plain.length, unreadBytes: 0 })
  assert.ok(output.subarray(0, plain.length).equals(plain))
})

test('inputs without an end are read once', () => {
  const output = Buffer.alloc(MAX_OUTPUT_BYTES)
  for (const byte of [0x00, 0x02, 0x04, 0x55, 0xaa, 0xff])
    assert.equal(inflate(Buffer.alloc(MAX_INPUT_BYTES, byte), 0, output).bytes, -1)
})

test('what is inflated into borrowed memory stays there until it is given back, whatever is inflated meanwhile', () => {
  const texts = ['first', 'second', 'third'].map((word) => Buffer.from(`${word} `.repeat(3000)))
  const outputs = texts.map((text) => {
    const output = borrowOutput()!
    assert.equal(inflate(deflateRawSync(text), 0, output).bytes, text.length)
    return output
  })
  inflate(deflateRawSync(Buffer.alloc(50_000, 'elsewhere ')), 0, Buffer.alloc(60_000))
  for (const [i, text] of texts.entries()) assert.ok(outputs[i]!.subarray(0, text.length).equals(text))
  const firstMemory = outputs[0]!.buffer
  for (const output of outputs) giveBackBuffer(output)
  const again = borrowOutput()!
  assert.equal(again.buffer, firstMemory)
  giveBackBuffer(again)
})

test('there are few to borrow from: then the body is inflated without them, to the same end', async () => {
  const page = Buffer.from('a page '.repeat(5000))
  const decode = () =>
    decodeBody(gzipSync(page), 'gzip', { maxBytes: 10 ** 6, maxInflation: 1000, givesBodyBack: true })
  const decoded = await Promise.all(Array.from({ length: 10 }, decode))
  const bodies = decoded.map((it) => (it.kind === 'decoded' ? it.body : Buffer.alloc(0)))
  for (const body of bodies) assert.ok(body.equals(page))
  assert.equal(new Set(bodies.map((body) => body.buffer)).size, 10)
  assert.equal(borrowOutput(), undefined)
  for (const body of bodies) giveBackBuffer(body)
  giveBackBuffer(bodies[0]!)
  const borrowed = Array.from({ length: 5 }, () => borrowOutput())
  assert.equal(borrowed.filter((output) => output !== undefined).length, 4)
  for (const output of borrowed) if (output) giveBackBuffer(output)
})

test('of a body that is encoded twice only the last output is borrowed', async () => {
  const twice = gzipSync(gzipSync('deep '.repeat(1000)))
  const limits = { maxBytes: 10 ** 6, maxInflation: 1000, givesBodyBack: true }
  for (let i = 0; i < 10; i++) {
    const decoded = await decodeBody(twice, 'gzip, gzip', limits)
    assert.equal(decoded.kind === 'decoded' && decoded.body.toString(), 'deep '.repeat(1000))
    if (decoded.kind === 'decoded') giveBackBuffer(decoded.body)
  }
  const output = borrowOutput()!
  assert.ok(output)
  giveBackBuffer(output)
})
