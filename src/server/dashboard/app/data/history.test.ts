import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Snapshot } from '../../../api/schemas/overview.ts'
import { fittingSpan, hourMs, recent } from './history.ts'

const snapshot = (at: number) =>
  ({ at, errors: { timeout: 1 }, crawls: [], workerList: [], alertsFiring: 0 }) as unknown as Snapshot

test('the history never reaches back more than an hour, however long one looks', () => {
  let history = recent([], snapshot(0))
  for (let at = 1000; at <= 2 * hourMs; at += 1000) history = recent(history, snapshot(at))
  assert.equal(history.length, 3600)
  assert.equal(history.at(-1)?.at, 2 * hourMs)
})

test('what came before, or twice, changes nothing', () => {
  const history = recent(recent([], snapshot(5000)), snapshot(6000))
  assert.deepEqual(recent(history, snapshot(6000)), history)
  assert.deepEqual(recent(history, snapshot(1)), history)
})

test('only what charts draw is kept', () => {
  assert.deepEqual(Object.keys(recent([], snapshot(1))[0]!), ['at', 'errors'])
})

test('a young crawl is shown over a minute, an old one over the hour', () => {
  const over = (ms: number) => fittingSpan(recent(recent([], snapshot(0)), snapshot(ms)))
  assert.deepEqual([over(1000), over(600_000), over(hourMs - 1)], [60_000, 900_000, hourMs])
  assert.equal(fittingSpan([]), 60_000)
})
