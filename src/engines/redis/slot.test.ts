import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotOf } from './slot.ts'

test('slots are those of the Cluster specification', () => {
  for (const [key, slot] of [
    ['123456789', 0x31c3],
    ['foo', 12182],
    ['{user1000}.following', slotOf('user1000')],
    ['foo{{bar}}zap', slotOf('{bar')],
    ['foo{bar}{zap}', slotOf('bar')],
  ] as const)
    assert.equal(slotOf(key), slot, key)
  assert.notEqual(slotOf('foo{}{bar}'), slotOf('bar'), 'an empty tag is none')
})
