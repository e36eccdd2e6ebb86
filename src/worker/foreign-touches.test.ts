import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostKey } from '../url/keys.ts'
import { ForeignTouches } from './foreign-touches.ts'

test('requests to one host come a gap apart, whoever makes them; other hosts do not wait', async () => {
  const waits: number[] = []
  const clock = { now: () => 1000, sleep: async (ms: number) => void waits.push(ms) }
  const touches = new ForeignTouches(clock)
  const signal = new AbortController().signal
  for (const host of ['a', 'a', 'b', 'a']) await touches.turn(host as HostKey, 500, signal)
  assert.deepEqual(waits, [0, 500, 0, 1000])
})
