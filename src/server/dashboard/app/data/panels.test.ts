import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertRules } from '../../../../monitor/alert-rules.ts'
import type { Alert } from '../../../api/schemas/alert.ts'
import type { Vitals } from '../../../api/schemas/overview.ts'
import { boundInWords, boundNow, figures, frontierBound, isKept, thresholdsOf } from './panels.ts'

const bounds = [...Object.values(figures).map(({ bound }) => bound), frontierBound]
const workers = (sum: number) => ({ workers: sum }) as Vitals

test('every bound is that of an alert rule, unless the server says otherwise', () => {
  for (const { alert, value, side } of bounds) {
    const rule = alertRules.find(({ id }) => id === alert)
    assert.deepEqual([rule?.threshold, rule?.is], [value, side === 'at-least' ? 'under' : 'over'], alert)
  }
})

test('the server may have another threshold', () => {
  const thresholds = thresholdsOf([
    { id: 'storage-slow', threshold: 3000 } as Alert,
    { id: 'x', threshold: null } as Alert,
  ])
  assert.equal(boundNow(figures.storage.bound, thresholds, workers(1))?.value, 3000)
  assert.equal(boundNow(frontierBound, thresholds, workers(1))?.value, 50_000_000)
})

test('a few workers are not measured by what a fleet must bring', () => {
  assert.equal(boundNow(figures.throughput.bound, new Map(), workers(4)), undefined)
  assert.equal(boundNow(figures.throughput.bound, new Map(), workers(5))?.value, 500)
})

test('a bound is kept on its own side, and said in words', () => {
  assert.deepEqual([isKept(figures.fetched.bound, 0.8), isKept(figures.fetched.bound, 0.79)], [true, false])
  assert.deepEqual([isKept(figures.duplicates.bound, 0.2), isKept(figures.duplicates.bound, 0.21)], [true, false])
  const { bound, show, unit } = figures.throughput
  assert.equal(boundInWords(bound, show, unit), 'Target: ≥ 500 pages/s')
})
