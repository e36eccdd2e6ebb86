import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gate } from './gate.ts'

test('a task that throws gives its place back', async () => {
  const narrow = gate(1)
  const failing = narrow.through(async () => {
    throw new Error('no answer')
  })
  const following = narrow.through(async () => 'entered')
  await assert.rejects(failing, /no answer/)
  assert.equal(await following, 'entered')
})

test('those who wait enter in the order of their arrival', async () => {
  const narrow = gate(1)
  const order: number[] = []
  await Promise.all([1, 2, 3, 4].map((number) => narrow.through(async () => void order.push(number))))
  assert.deepEqual(order, [1, 2, 3, 4])
})
