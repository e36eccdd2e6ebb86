import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compared, coreTimes, turns, type Window } from './windows.ts'

const window = (isLookedAt: boolean, pagesPerSecond: number): Window => ({
  ...{ isLookedAt, pagesPerSecond, crawlerShare: 1, apiShare: 0, crawlerCpuMsOfPage: 1, othersBusy: 0.5 },
})

test('what grows evenly over time does not count for or against the load', () => {
  const windows = turns(8).map((isLookedAt, n) => window(isLookedAt, 100 + n))
  assert.equal(compared(windows, 'pagesPerSecond').share, 1)
})

test('half the pages while somebody looks is half the throughput', () => {
  const windows = turns(4).map((isLookedAt) => window(isLookedAt, isLookedAt ? 50 : 100))
  assert.deepEqual(compared(windows, 'pagesPerSecond'), { quiet: 100, lookedAt: 50, share: 0.5 })
})

test('waiting for a disk is no work of a core', () => {
  const stat = 'cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 1 2 3 40 50 6 7 8 0 0\ncpu1 0 0 0 1 0 0 0 0 0 0\n'
  assert.deepEqual(coreTimes(stat, '0'), { busy: 27, all: 117 })
  assert.deepEqual(coreTimes(stat, '1'), { busy: 0, all: 1 })
})
