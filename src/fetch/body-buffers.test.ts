import assert from 'node:assert/strict'
import { test } from 'node:test'
import { borrowBuffer, giveBackBuffer } from './body-buffers.ts'

test('a buffer is as large as asked for, and at most a quarter larger, at any size', () => {
  for (const bytes of [0, 1, 8191, 8192, 8193, 32_767, 32_768, 32_769, 100_000, 2 ** 21, 2 ** 21 + 1, 10_000_000]) {
    const { length } = borrowBuffer(bytes)
    assert.ok(length >= bytes && length <= bytes * 1.25, `${length} for ${bytes}`)
  }
})

test('what was given back is lent again, also when only a part of it was', () => {
  const first = borrowBuffer(100_000)
  giveBackBuffer(first.subarray(10, 20))
  assert.ok(borrowBuffer(99_000).buffer === first.buffer)
})

test('what is in use is not lent to another', () => {
  const buffers = Array.from({ length: 20 }, () => borrowBuffer(50_000).buffer)
  assert.equal(new Set(buffers).size, 20)
})

test('a buffer given back twice is lent once', () => {
  const buffer = borrowBuffer(200_000)
  giveBackBuffer(buffer)
  giveBackBuffer(buffer)
  const again = borrowBuffer(200_000)
  assert.ok(again.buffer !== borrowBuffer(200_000).buffer)
})

test('a buffer that was never borrowed is never lent', () => {
  const own = Buffer.alloc(64 * 1024)
  giveBackBuffer(own)
  giveBackBuffer(Buffer.from('short, and from a pool that others share'))
  for (let i = 0; i < 20; i++) assert.notEqual(borrowBuffer(64 * 1024).buffer, own.buffer)
})

test('a bounded number is kept, of any size', () => {
  for (const bytes of [20_000, 500_000]) {
    const many = Array.from({ length: 100 }, () => borrowBuffer(bytes))
    for (const buffer of many) giveBackBuffer(buffer)
    const again = Array.from({ length: 100 }, () => borrowBuffer(bytes))
    assert.ok(again.filter((buffer) => many.includes(buffer)).length <= 16)
  }
})

test('a bounded number of bytes is kept, whatever the sizes', () => {
  const many = Array.from({ length: 200 }, (_, i) => borrowBuffer(10_000 * (i + 1)))
  for (const buffer of many) giveBackBuffer(buffer)
  const again = many.map(({ length }) => borrowBuffer(length)).filter((buffer) => many.includes(buffer))
  assert.ok(again.reduce((sum, { length }) => sum + length, 0) <= 8 * 1024 * 1024)
})

test('a buffer that has moved to another thread is not lent again', () => {
  const buffer = borrowBuffer(100_000)
  structuredClone(buffer.buffer, { transfer: [buffer.buffer as ArrayBuffer] })
  giveBackBuffer(buffer)
  assert.ok(borrowBuffer(100_000).length >= 100_000)
})
