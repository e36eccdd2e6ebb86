import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from './clock.ts'

test('a clock does not begin before the moment that an earlier run has stored', () => {
  const later = Date.now() + 86_400_000
  assert.ok(systemClock(later).now() >= later)
})

test('a jump of the wall clock does not move it', (t) => {
  const clock = systemClock()
  const before = clock.now()
  t.mock.method(Date, 'now', () => 0)
  assert.ok(clock.now() >= before && clock.now() < before + 60_000)
})

test('a sleep longer than any timer does not end at once', async () => {
  const stop = new AbortController()
  const sleeping = systemClock()
    .sleep(30 * 86_400_000, stop.signal)
    .then(() => 'woke')
  assert.equal(
    await Promise.race([
      sleeping,
      systemClock()
        .sleep(20)
        .then(() => 'sleeps'),
    ]),
    'sleeps',
  )
  stop.abort()
  await sleeping
})

test('a sleep ends at once when it is aborted', async () => {
  const stop = new AbortController()
  const sleeping = systemClock().sleep(3_600_000, stop.signal)
  stop.abort()
  await sleeping
  await systemClock().sleep(3_600_000, stop.signal)
})
