import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShardHints } from './shard-hints.ts'

test('what is due in the shards of others is nothing to hurry for', () => {
  const hints = new ShardHints(3, { start: 0 })
  for (const shard of [0, 1, 2]) hints.heard(shard, 1000, null)
  hints.sooner(1, 0)
  hints.sooner(2, 5000)
  assert.equal(hints.nextDueMs(undefined, 1000), 0)
  assert.equal(hints.nextDueMs([0, 2], 1000), 4000)
  assert.equal(hints.nextDueMs([0], 1000), null)
  assert.equal(hints.nextDueMs([], 1000), null)
  assert.deepEqual(hints.due([0, 2], 1000), { sure: [], unsure: [] })
})

test('shards that have something are told from those that may have, and each search begins with another one', () => {
  const hints = new ShardHints(4, { start: 0 })
  assert.deepEqual(hints.due(undefined, 0), { sure: [0, 1, 2, 3], unsure: [] }, 'nothing is known yet')
  for (const shard of [0, 1, 2, 3]) hints.heard(shard, -5000, null)
  assert.deepEqual(hints.due(undefined, 0).unsure, [0, 1, 2, 3])
  hints.turnTo(1)
  assert.deepEqual(hints.due(undefined, 0).unsure, [2, 3, 0, 1])
  hints.sooner(1, 0)
  assert.deepEqual(hints.due(undefined, 0), { sure: [1], unsure: [2, 3, 0] })
  hints.doubt()
  assert.deepEqual(hints.due(undefined, 0), { sure: [2, 3, 0, 1], unsure: [] })
})

test('who released a host comes for it when it can be leased, and others who have heard of it later', () => {
  const [holder, other] = [new ShardHints(1, { start: 0, aheadMs: 50 }), new ShardHints(1, { start: 0, aheadMs: 50 })]
  holder.heard(0, 0, null)
  holder.sooner(0, 4000)
  other.heard(0, 0, 4000)
  assert.deepEqual([holder.nextDueMs(undefined, 0), other.nextDueMs(undefined, 0)], [4000, 4000])
  assert.equal(holder.askInMs(undefined, 0), 3950)
  assert.equal(other.askInMs(undefined, 0), 4250)
  assert.deepEqual(holder.due(undefined, 3950).sure, [0])
  assert.deepEqual(other.due(undefined, 4000), { sure: [], unsure: [0] }, 'it only looks')
})

test('a time that a worker knows itself stays when the shard tells of an earlier one', () => {
  const hints = new ShardHints(1, { start: 0 })
  hints.heard(0, 0, null)
  hints.sooner(0, 4000)
  hints.heard(0, 1000, 500)
  assert.equal(hints.nextDueMs(undefined, 1000), 500)
  hints.heard(0, 1500, null)
  assert.equal(hints.nextDueMs(undefined, 1500), 2500)
  hints.heard(0, 4000, null)
  assert.equal(hints.nextDueMs(undefined, 4000), null)
})

test('what is due nearer to another worker is taken when it was left there from one look to the next', () => {
  const hints = new ShardHints(3, { start: 0, isNear: (shard) => shard === 2 })
  for (const shard of [0, 1, 2]) hints.heard(shard, 0, null)
  for (const shard of [0, 1, 2]) hints.sooner(shard, 10)
  assert.deepEqual(hints.due(undefined, 10), { sure: [2], unsure: [] }, 'its own knowledge is for its own shards')
  assert.deepEqual(hints.due(undefined, 3000).unsure, [0, 1], 'others are looked into once in a while')
  for (const shard of [0, 1]) hints.heard(shard, 3000, 0)
  assert.deepEqual(hints.due(undefined, 3000), { sure: [2], unsure: [] })
  hints.heard(0, 6000, 0)
  hints.heard(1, 6000, 4000)
  hints.heard(2, 6000, 0)
  assert.deepEqual(hints.due(undefined, 6000).sure, [2, 0], 'own shards come first')
  hints.heard(0, 6100, 200)
  assert.deepEqual(hints.due(undefined, 6400).sure, [2], 'nobody waits there any more')
  assert.equal(hints.askInMs([0, 1], 6400), null)
})
