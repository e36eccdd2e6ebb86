import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assign, type Claim } from '../../../engines/kafka/assign.ts'
import { partitionOf, shardsOwnedBy } from './shard-owners.ts'

const everyShard = (count: number) => Array.from({ length: count }, (_, shard) => shard)

for (const [partitions, shards] of [
  [40, 64],
  [40, 40],
  [40, 7],
  [3, 64],
  [1, 1],
  [64, 64],
  [100, 64],
] as const)
  for (const members of [1, 2, 3, 8, 40])
    test(`${shards} shards on ${partitions} partitions have one owner each of ${members} members`, () => {
      const claims = Array.from(
        { length: members },
        (_, n): Claim => ({ member: `${n}`, generation: -1, holds: new Map() }),
      )
      const given = [...assign(claims, new Map([['low', partitions]])).values()]
      const owned = given.flatMap((holds) => shardsOwnedBy(holds.get('low')!, partitions, shards))
      assert.deepEqual(
        owned.toSorted((a, b) => a - b),
        everyShard(shards),
      )
    })

test('the owner of a shard reads what it carries on the deciding topic', () => {
  for (const shard of everyShard(64))
    assert.deepEqual(
      shardsOwnedBy([partitionOf(shard, 40)], 40, 64).includes(shard),
      true,
      `shard ${shard} belongs to its own partition`,
    )
})

test('whoever owns nothing leases nothing', () => {
  assert.deepEqual(shardsOwnedBy([], 40, 64), [])
})
