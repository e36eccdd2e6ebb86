import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { SafeGroups } from './safe-groups.ts'

/** A clock whose sleepers are woken by hand, and flushes that end by hand. */
function setUp() {
  const sleepers: (() => void)[] = []
  const flushes: PromiseWithResolvers<void>[] = []
  const time = { now: 0 }
  const groups = new SafeGroups({
    clock: {
      now: () => time.now,
      sleep: (_ms, signal) =>
        new Promise((resolve) => {
          sleepers.push(resolve)
          signal?.addEventListener('abort', () => resolve())
        }),
    },
    everyMs: 1000,
    hurry: new AbortController().signal,
    flush() {
      flushes.push(Promise.withResolvers<void>())
      return flushes.at(-1)!.promise
    },
  })
  return { groups, sleepers, flushes, time }
}

test('those who come within a group share one flush', async () => {
  const { groups, sleepers, flushes } = setUp()
  const both = Promise.all([groups.safe(), groups.safe()])
  sleepers.shift()!()
  await turn()
  assert.equal(flushes.length, 1)
  flushes[0]!.resolve()
  await both
})

test('who comes while a flush is under way is not part of it, and the next flush waits for it to end', async () => {
  const { groups, sleepers, flushes } = setUp()
  const first = groups.safe()
  sleepers.shift()!()
  await turn()
  let secondIsSafe = false
  const second = groups.safe().then(() => {
    secondIsSafe = true
  })
  sleepers.shift()!()
  await turn()
  assert.equal(flushes.length, 1)
  flushes[0]!.resolve()
  await first
  await turn()
  assert.equal(secondIsSafe, false)
  assert.equal(flushes.length, 2)
  flushes[1]!.resolve()
  await second
})

test('a flush that fails fails for its members, and the next one is tried all the same', async () => {
  const { groups, sleepers, flushes } = setUp()
  const first = groups.safe()
  sleepers.shift()!()
  await turn()
  flushes[0]!.reject(new Error('the engine is away'))
  await assert.rejects(first, /engine is away/)
  const second = groups.safe()
  sleepers.shift()!()
  await turn()
  flushes[1]!.resolve()
  await second
})

test('a group that is hastened waits for nobody else; who comes later has a group that does', async () => {
  const { groups, flushes } = setUp()
  const first = groups.safe()
  groups.hasten()
  await turn()
  assert.equal(flushes.length, 1)
  flushes[0]!.resolve()
  await first
  void groups.safe()
  await turn()
  assert.equal(flushes.length, 1)
})

test('a full group waits for no time to pass, and there is room again when it is on its way', async () => {
  const { groups, flushes } = setUp()
  const members = fill(groups)
  const { room } = groups
  await turn()
  assert.equal(flushes.length, 1)
  await room
  assert.equal(groups.room, undefined)
  const others = fill(groups)
  await turn()
  assert.ok(groups.room, 'the next group is full, and cannot leave before the first has arrived')
  flushes[0]!.resolve()
  await Promise.all(members)
  flushes[1]!.resolve()
  await Promise.all(others)
})

test('engines that are quick are given larger groups, and slow ones smaller groups again', async () => {
  const { groups, flushes, time } = setUp()
  const sizes: number[] = []
  for (const tookMs of [100, 100, 100, 4000, 60_000, 60_000]) {
    const members = fill(groups)
    sizes.push(members.length)
    await turn()
    time.now += tookMs
    flushes.at(-1)!.resolve()
    await Promise.all(members)
  }
  assert.deepEqual(sizes, [64, 128, 256, 512, 256, 64])
})

/** Joins until there is no room. */
function fill(groups: SafeGroups): Promise<void>[] {
  const members: Promise<void>[] = []
  do members.push(groups.safe())
  while (!groups.room)
  return members
}
