import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FailureCode } from './outcome.ts'
import { followsAnswer, followsFailure, prospects, statusHeals } from './retry.ts'

test('what can heal is tried three times more, after 1, 2 and 4 seconds, and then given up', () => {
  const waits = [0, 1, 2].map((attempts) => followsFailure('connect-refused', attempts))
  assert.deepEqual(waits, [
    { kind: 'retry', afterMs: 1000, reason: 'connect-refused' },
    { kind: 'retry', afterMs: 2000, reason: 'connect-refused' },
    { kind: 'retry', afterMs: 4000, reason: 'connect-refused' },
  ])
  assert.deepEqual(followsFailure('connect-refused', 3), { kind: 'dead', reason: 'connect-refused' })
  assert.deepEqual(followsFailure('connect-refused', 1000), { kind: 'dead', reason: 'connect-refused' })
})

test('what cannot heal is given up at once', () => {
  for (const [code, prospect] of Object.entries(prospects))
    if (prospect === 'never') assert.equal(followsFailure(code as FailureCode, 0).kind, 'dead', code)
  assert.equal(prospects['dns-not-found'], 'never')
  assert.equal(prospects['dns-failed'], 'heals')
})

test('what we stopped ourselves is queued again, however often', () => {
  assert.deepEqual(followsFailure('cancelled', 99), { kind: 'retry', afterMs: 0, reason: 'cancelled' })
})

test('a server that is overloaded or broken may heal', () => {
  for (const status of [408, 425, 429, 500, 502, 503, 504, 520, 599]) {
    assert.deepEqual(followsAnswer(status, 0), { kind: 'retry', afterMs: 1000, reason: `status-${status}` })
    assert.deepEqual(followsAnswer(status, 3), { kind: 'dead', reason: `status-${status}` })
  }
})

test('every other status is an answer', () => {
  for (const status of [200, 204, 206, 304, 400, 401, 403, 404, 410, 418, 451, 501, 505, 999])
    assert.deepEqual(followsAnswer(status, 0), { kind: 'done' }, String(status))
  assert.equal(statusHeals(404), false)
})

test('a redirect is done: its target is another URL', () => {
  for (const status of [301, 302, 303, 307, 308])
    assert.deepEqual(followsAnswer(status, 0), { kind: 'done' }, String(status))
})

test('there are as many retries as waits are configured', () => {
  assert.deepEqual(followsFailure('reset', 0, []), { kind: 'dead', reason: 'reset' })
  assert.deepEqual(followsFailure('reset', 1, [5, 7]), { kind: 'retry', afterMs: 7, reason: 'reset' })
})
