import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentSet } from './recent-set.ts'

test('what came lately is known, and memory is bounded by forgetting the rest', () => {
  const recent = new RecentSet(3)
  assert.equal(recent.add('a'), true)
  assert.equal(recent.add('a'), false)
  for (const text of ['b', 'c', 'd']) assert.equal(recent.add(text), true)
  assert.equal(recent.add('a'), false, 'still in the older half')
  for (const text of ['e', 'f', 'long', 'longer']) recent.add(text)
  assert.equal(recent.add('b'), true, 'forgotten')
})
