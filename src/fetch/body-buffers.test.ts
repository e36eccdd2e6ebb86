import assert from 'node:assert/strict'
import { test } from 'node:test'
import { borrowBuffer, giveBackBuffer } from './body-buffers.ts'

test('a buffer is as large as asked for, at any size', () => {
  for (const bytes of [0, 1, 32_767, 32_768, 32_769, 100_000, 2 ** 21, 2 ** 21 + 1, 10_000_000])
    assert.ok(borrowBuffer(bytes).length >= bytes)
})

test('what was given back is lent again, also when only a part of it was', () => {
  const first = borrowBuffer(100_000)
  giveBackBuffer(first.subarray(10, 20))
  assert.equal(borrowBuffer(90_000).buffer, first.buffer)
})

test('what is in use is not lent to another', () => {
  const buffers = Array.from({ length: 20 }, () => borrowBuffer(50_000).buffer)
  assert.equal(new Set(buffers).size, 20)
})

test('a buffer given back twice is lent once', () => {
  const buffer = borrowBuffer(200_000)
  giveBackBuffer(buffer)
  giveBackBuffer(buffer)
  assert.notEqual(borrowBuffer(200_000).buffer, borrowBuffer(200_000).buffer)
})

test('a buffer that was never borrowed is never lent', () => {
  const own = Buffer.alloc(64 * 1024)
  giveBackBuffer(own)
  giveBackBuffer(Buffer.from('short, and from a pool that others share'))
  for (let i = 0; i < 20; i++) assert.notEqual(borrowBuffer(64 * 1024).buffer, own.buffer)
})

test('a bounded number is kept', () => {
  const many = Array.from({ length: 100 }, () => borrowBuffer(500_000))
  for (const buffer of many) giveBackBuffer(buffer)
  const again = Array.from({ length: 100 }, () => borrowBuffer(500_000))
  assert.ok(again.filter((buffer) => many.includes(buffer)).length <= 4)
})
