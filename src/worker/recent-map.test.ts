import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentMap } from './recent-map.ts'

test('what was used lately is known, and memory is bounded by forgetting the rest', () => {
  const recent = new RecentMap<number>(3)
  recent.set('a', 1)
  recent.set('b', 2)
  recent.set('c', 3)
  recent.set('d', 4)
  assert.equal(recent.get('a'), 1, 'still in the older half, and used: it stays')
  for (let n = 0; n < 3; n++) recent.set(`${n}`, n)
  assert.equal(recent.get('a'), 1)
  assert.equal(recent.get('b'), undefined, 'forgotten')
})
