import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { inflateConformance } from '../../../inflate.conformance.ts'
import { MAX_INPUT_BYTES, MAX_OUTPUT_BYTES } from './layout.ts'
import { wasmInflate } from './wasm-inflate.ts'

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

test('inputs without an end are read once', () => {
  const output = Buffer.alloc(MAX_OUTPUT_BYTES)
  for (const byte of [0x00, 0x02, 0x04, 0x55, 0xaa, 0xff])
    assert.equal(inflate(Buffer.alloc(MAX_INPUT_BYTES, byte), 0, output).bytes, -1)
})
