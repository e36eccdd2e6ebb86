import assert from 'node:assert/strict'
import { test } from 'node:test'
import { giveBackBuffer } from '../body-buffers.ts'
import { BodyBytes } from './body-bytes.ts'

test('pieces of any size are joined, whatever was announced', () => {
  for (const announced of [0, 10, 40_000, 1_000_000_000, Number.NaN, -1])
    for (const size of [1, 999, 50_000]) {
      const body = new BodyBytes(announced)
      const pieces = Array.from({ length: 70 }, (_, i) => Buffer.alloc(size, `${i};`))
      for (const piece of pieces) body.add(piece)
      const whole = body.whole()
      assert.ok(whole.equals(Buffer.concat(pieces)), `${announced}, ${size}`)
      assert.ok(whole.buffer.byteLength <= Math.max(16_384, whole.length * 1.34), 'it takes hardly more than its size')
    }
})

test('a piece is copied, so that its memory can be used again', () => {
  const body = new BodyBytes(0)
  const piece = Buffer.from('once')
  body.add(piece)
  piece.fill('x')
  assert.equal(body.whole().toString(), 'once')
})

test('a body that was given back leaves its memory to the next one', () => {
  const bodyOf = (text: string) => {
    const body = new BodyBytes(30_000)
    for (let i = 0; i < 3; i++) body.add(Buffer.alloc(10_000, text))
    return body.whole()
  }
  const first = bodyOf('a')
  const held = bodyOf('b')
  giveBackBuffer(first)
  const next = bodyOf('c')
  assert.ok(next.buffer === first.buffer)
  assert.ok(held.every((byte) => byte === 98))
  assert.ok(next.every((byte) => byte === 99))
})

test('memory for what a server announces is taken when it comes', () => {
  const body = new BodyBytes(10_000_000)
  assert.equal(body.whole().length, 0)
  body.add(Buffer.from('a'))
  assert.ok(body.whole().buffer.byteLength < 300_000)
})
