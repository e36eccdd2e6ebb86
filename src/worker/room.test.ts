import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Lull } from './lull.ts'
import { giveBackSlot } from './room.ts'
import { Slots } from './slots.ts'

test('a slot is given back when there is room for more pages, and what waits for company is looked at then', async () => {
  const slots = new Slots(2)
  await Promise.all([slots.take(), slots.take()])
  let lulls = 0
  const lull = new Lull(slots, () => lulls++)
  const closing = Promise.withResolvers<void>()
  giveBackSlot({ slots, lull, room: () => closing.promise }, true)
  await turn()
  assert.equal(slots.inUse, 2)
  giveBackSlot({ slots, lull, room: () => undefined }, true)
  assert.equal(slots.inUse, 1)
  closing.resolve()
  await turn()
  assert.deepEqual([slots.inUse, lulls], [0, 1])
})
