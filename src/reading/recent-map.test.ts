import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentMap } from './recent-map.ts'

test('what came lately is known, and memory is bounded by forgetting the rest', () => {
  let drops = 0
  const recent = new RecentMap<number>(3, () => drops++)
  recent.set('a', 1)
  assert.equal(recent.get('a'), 1)
  for (const text of ['b', 'c', 'd']) recent.set(text, 2)
  assert.equal(recent.get('a'), 1, 'still in the older half')
  for (const text of ['e', 'f', 'long', 'longer']) recent.set(text, 3)
  assert.equal(recent.get('b'), undefined, 'forgotten')
  assert.ok(drops > 0)
  recent.clear()
  assert.equal(recent.get('longer'), undefined)
})
