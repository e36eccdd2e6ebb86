import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Slots } from './slots.ts'

test('a slot passes to who has waited longest', async () => {
  const slots = new Slots(1)
  const order: string[] = []
  assert.equal(await slots.take(), true)
  const first = slots.take().then(() => order.push('first'))
  const second = slots.take().then(() => order.push('second'))
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
