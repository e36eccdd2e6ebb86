import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Slots } from './slots.ts'

test('a slot passes to who has waited longest', async () => {
  const slots = new Slots(1)
  const order: string[] = []
  assert.equal(await slots.take(), true)
  const first = Promise.resolve(slots.take()).then(() => order.push('first'))
  const second = Promise.resolve(slots.take()).then(() => order.push('second'))
  slots.giveBack()
  await first
  slots.giveBack()
  await second
  assert.deepEqual(order, ['first', 'second'])
})

test('closing sends all who wait away, and all who come later', async () => {
  const slots = new Slots(1)
  await slots.take()
  const waiting = [slots.take(), slots.take()]
  slots.close()
  assert.deepEqual(await Promise.all([...waiting, slots.take()]), [false, false, false])
})

test('more slots are handed out at once, fewer as those in use come back', async () => {
  const slots = new Slots(1)
  await slots.take()
  const waiting = [slots.take(), slots.take(), slots.take()]
  slots.resize(3)
  assert.deepEqual(await Promise.all(waiting.slice(0, 2)), [true, true])
  slots.resize(1)
  slots.giveBack()
  slots.giveBack()
  assert.equal(slots.inUse, 1)
  slots.giveBack()
  assert.equal(await waiting[2], true)
  assert.equal(slots.inUse, 1)
})

test('thousands may wait, and each is served once and in order', async () => {
  const slots = new Slots(0)
  const served: number[] = []
  const waiting = Array.from({ length: 5000 }, (_, i) => Promise.resolve(slots.take()).then(() => served.push(i)))
  for (let width = 1; width <= 5000; width += 7) slots.resize(width)
  slots.resize(5000)
  await Promise.all(waiting)
  assert.deepEqual(served, [...served.keys()])
  assert.equal(slots.inUse, 5000)
})

test('slots tell whether anybody had to wait', async () => {
  const slots = new Slots(1)
  await slots.take()
  assert.equal(slots.takeWasFull(), false)
  const waiting = slots.take()
  assert.equal(slots.takeWasFull(), true)
  assert.equal(slots.takeWasFull(), true, 'somebody waits still')
  slots.giveBack()
  await waiting
  assert.equal(slots.takeWasFull(), true, 'somebody waited a moment ago')
  assert.equal(slots.takeWasFull(), false)
})
