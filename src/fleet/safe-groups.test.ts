import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { SafeGroups } from './safe-groups.ts'

/** A clock whose sleepers are woken by hand, and flushes that end by hand. */
function setUp() {
  const sleepers: (() => void)[] = []
  const flushes: PromiseWithResolvers<void>[] = []
  const groups = new SafeGroups({
    clock: {
      now: () => 0,
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
  return { groups, sleepers, flushes }
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
