import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LinkKeys } from './link-keys.ts'

test('a value is found by both halves of its key, also where slots collide', () => {
  const keys = new LinkKeys<string>()
  keys.set(1, 0, 'a')
  keys.set(1, 1, 'b')
  keys.set(1 + 2 ** 16, 0, 'c')
  keys.set(-5, -7, 'd')
  assert.deepEqual([keys.get(1, 0), keys.get(1, 1), keys.get(1 + 2 ** 16, 0), keys.get(-5, -7)], ['a', 'b', 'c', 'd'])
  assert.equal(keys.get(2, 0), undefined)
  keys.set(1, 0, 'e')
  assert.equal(keys.get(1, 0), 'e')
})

test('it is bounded: full, it begins anew, and never answers another value', () => {
  const keys = new LinkKeys<number>()
  for (let i = 0; i < 100_000; i++) keys.set(i, i * 3, i)
  assert.equal(keys.get(99_999, 99_999 * 3), 99_999)
  assert.equal(keys.get(1, 3), undefined)
  keys.clear()
  assert.equal(keys.get(99_999, 99_999 * 3), undefined)
})
