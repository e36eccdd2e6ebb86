import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integer } from './der.ts'

test('a number has one form: no zeros before it, but for the one that keeps it positive', () => {
  const bytesOf = (...bytes: number[]) => [...integer(Buffer.from(bytes))]
  assert.deepEqual(bytesOf(0, 0, 0x12, 0), [2, 2, 0x12, 0])
  assert.deepEqual(bytesOf(0, 0x80), [2, 2, 0, 0x80])
  assert.deepEqual(bytesOf(0x80), [2, 2, 0, 0x80])
  assert.deepEqual(bytesOf(0, 0), [2, 1, 0])
  assert.deepEqual([...integer(2)], [2, 1, 2])
})
