import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lull } from './lull.ts'

test('there is a lull when all sessions are over and no visit is being made, and not before', () => {
  const slots = { inUse: 0 }
  let lulls = 0
  const lull = new Lull(slots, () => lulls++)
  lull.begun()
  lull.begun()
  lull.look()
  assert.equal(lulls, 0, 'two sessions may begin visits')
  lull.over()
  assert.equal(lulls, 0, 'one of them still may')
  slots.inUse = 1
  lull.over()
  assert.equal(lulls, 0, 'a visit is being made')
  slots.inUse = 0
  lull.look()
  assert.equal(lulls, 1)
})
