import assert from 'node:assert/strict'
import { test } from 'node:test'
import { departing } from './crossing.ts'

test('bytes that lie alone move as they are, others are copied first', () => {
  const alone = Buffer.allocUnsafeSlow(10)
  assert.equal(departing(alone), alone)
  const among = Buffer.from('among others')
  assert.notEqual(departing(among).buffer, among.buffer)
  assert.ok(departing(among).equals(among))
})

test('the same empty body can depart many times in one message', () => {
  const empty = Buffer.alloc(0)
  const transfer = [departing(empty).buffer, departing(empty).buffer]
  assert.doesNotThrow(() => structuredClone('message', { transfer }))
})
