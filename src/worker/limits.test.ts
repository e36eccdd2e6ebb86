import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LocalPageLimit } from './limits.ts'

test('no more visits begin than pages are left, and one that brought no page makes room for another', async () => {
  const limit = new LocalPageLimit(2, 0)
  assert.equal(await limit.reserve(), true)
  assert.equal(await limit.reserve(), true)
  const third = limit.reserve()
  limit.giveBack(true)
  assert.equal(await Promise.race([third, Promise.resolve('waits')]), 'waits')
  limit.giveBack(false)
  assert.equal(await third, true)
  limit.giveBack(true)
  assert.equal(await limit.reserve(), false)
  assert.equal(limit.reached, true)
})

test('those who wait are told when the limit is reached', async () => {
  const limit = new LocalPageLimit(1, 0)
  await limit.reserve()
  const waiting = [limit.reserve(), limit.reserve()]
  limit.giveBack(true)
  assert.deepEqual(await Promise.all(waiting), [false, false])
})

test('pages of earlier runs count', async () => {
  assert.equal(await new LocalPageLimit(3, 3).reserve(), false)
})

test('a limit of 0 is none', async () => {
  const limit = new LocalPageLimit(0, 1_000_000)
  assert.equal(await limit.reserve(), true)
  assert.equal(limit.reached, false)
})

test('a limit that is raised lets those who wait go on, and one that is lowered ends the crawl', async () => {
  const limit = new LocalPageLimit(2, 0)
  assert.equal(await limit.reserve(), true)
  assert.equal(await limit.reserve(), true)
  const third = limit.reserve()
  limit.change(3)
  assert.equal(await third, true)
  for (let i = 0; i < 3; i++) limit.giveBack(true)
  assert.equal(limit.reached, true)
  limit.change(0)
  assert.equal(limit.reached, false)
  limit.change(1)
  assert.equal(limit.reached, true)
  assert.equal(await limit.reserve(), false)
})
