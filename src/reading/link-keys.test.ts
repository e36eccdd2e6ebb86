import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LinkKeys } from './link-keys.ts'

test('a number is found by both halves of its key, also where slots collide', () => {
  const keys = new LinkKeys()
  keys.set(1, 0, 0)
  keys.set(1, 1, 10)
  keys.set(1 + 2 ** 16, 0, 20)
  keys.set(-5, -7, 30)
  assert.deepEqual([keys.get(1, 0), keys.get(1, 1), keys.get(1 + 2 ** 16, 0), keys.get(-5, -7)], [0, 10, 20, 30])
  assert.equal(keys.get(2, 0), -1)
  keys.set(1, 0, 40)
  assert.equal(keys.get(1, 0), 40)
})

test('it is bounded: full, it begins anew, and never answers another number', () => {
  const keys = new LinkKeys()
  for (let i = 0; i < 100_000; i++) keys.set(i, i * 3, i)
  assert.equal(keys.get(99_999, 99_999 * 3), 99_999)
  assert.equal(keys.get(1, 3), -1)
  keys.clear()
  assert.equal(keys.get(99_999, 99_999 * 3), -1)
})
