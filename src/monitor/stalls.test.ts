import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchStalls } from './stalls.ts'

test('a process that had no turn for a while is told of once, and the usual course of things is not', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let now = 1000
  const stalls: number[] = []
  using _watch = watchStalls({ now: () => now, sleep: async () => {} }, (ms) => stalls.push(ms))
  for (const passedMs of [200, 250, 5200, 200, 900, 200]) {
    now += passedMs
    t.mock.timers.tick(200)
  }
  assert.deepEqual(stalls, [5000])
})
