import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { loadFingerprint } from '../../url/keys.ts'
import { nearShards } from './near-shards.ts'

let hash: (text: string) => number
before(async () => {
  hash = await loadFingerprint()
})

const named = (count: number) => Array.from({ length: count }, (_, n) => `worker-${n}`)
const shared = (workers: readonly string[], shards: number) =>
  workers.map((worker) => nearShards(worker, workers, shards, hash))

test('every shard is near to one worker, and each has as many as any other or one more', () => {
  for (const count of [1, 2, 3, 4, 7, 8, 13, 31, 64]) {
    const near = shared(named(count), 64)
    assert.deepEqual(
      near.flatMap((shards) => [...shards]).toSorted((a, b) => a - b),
      Array.from({ length: 64 }, (_, shard) => shard),
    )
    for (const { size } of near) assert.ok(size === Math.floor(64 / count) || size === Math.ceil(64 / count))
  }
})

test('with more workers than shards each has one', () => {
  const near = shared(named(100), 64)
  assert.ok(near.every((shards) => shards.size === 1))
  assert.equal(new Set(near.flatMap((shards) => [...shards])).size, 64)
})

test('when a worker comes, most shards stay where they were', () => {
  const [before, after] = [shared(named(8), 64), shared(named(9), 64)]
  const moved = before.flatMap((shards, worker) => [...shards].filter((shard) => !after[worker]!.has(shard)))
  assert.ok(moved.length < 24, `${moved.length} moved`)
})
