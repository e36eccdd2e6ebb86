import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageLimit } from './limits.ts'
import { emptyTally } from './tally.ts'

test('no more visits begin than pages are left, and one that brought no page makes room for another', async () => {
  const tally = emptyTally()
  const limit = new PageLimit(2, tally)
  assert.equal(await limit.reserve(), true)
  assert.equal(await limit.reserve(), true)
  const third = limit.reserve()
  tally.pages++
  limit.giveBack()
  assert.equal(await Promise.race([third, Promise.resolve('waits')]), 'waits')
  limit.giveBack()
  assert.equal(await third, true)
  tally.pages++
  limit.giveBack()
  assert.equal(await limit.reserve(), false)
  assert.equal(limit.reached, true)
})

test('those who wait are told when the limit is reached', async () => {
  const tally = emptyTally()
  const limit = new PageLimit(1, tally)
  await limit.reserve()
  const waiting = [limit.reserve(), limit.reserve()]
  tally.pages++
  limit.giveBack()
  assert.deepEqual(await Promise.all(waiting), [false, false])
})

test('a limit of 0 is none', async () => {
  const limit = new PageLimit(0, { ...emptyTally(), pages: 1_000_000 })
  assert.equal(await limit.reserve(), true)
  assert.equal(limit.reached, false)
})
