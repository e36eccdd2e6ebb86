import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areaPath, linePath, momentAt, nearest, roundUp, stacked, thin, xOf, yOf } from './scale.ts'

const frame = { from: 0, to: 100, bottom: 0, top: 10, width: 100, height: 50 }

test('the top of a chart is a round number at or above its values', () => {
  assert.deepEqual([0, -3, Number.NaN, 0.3, 1, 7, 23, 642].map(roundUp), [1, 1, 1, 0.3, 1, 8, 30, 800])
})

test('many points become few, and their mean stays', () => {
  const points = Array.from({ length: 1002 }, (_, i) => ({ at: (i * 100) / 1001, value: i % 2 }))
  const few = thin(points, 0, 100, 50)
  assert.equal(few.length, 50)
  for (const { value } of few) assert.ok(Math.abs(value - 0.5) < 0.03)
})

test('a line is broken where nothing was known', () => {
  const points = [0, 5, 60, 65].map((at) => ({ at, value: 5 }))
  assert.equal(linePath(frame, points, 20), 'M0.0 25.0L5.0 25.0M60.0 25.0L65.0 25.0')
})

test('a value beyond the edges stays inside the chart', () => {
  assert.deepEqual([yOf(frame, 1e9), yOf({ ...frame, bottom: 5 }, 1)], [0, 50])
})

test('layers stand on each other', () => {
  const layer = (value: number) => [
    { at: 0, value },
    { at: 1, value },
  ]
  const tops = stacked([layer(1), layer(2), layer(4)])
  assert.deepEqual(
    tops.map((top) => top[1]?.value),
    [1, 3, 7],
  )
  assert.equal(areaPath(frame, [], []), '')
})

test('the nearest point is found, and none where there is none', () => {
  assert.equal(nearest([{ at: 1 }, { at: 9 }], 6), 1)
  assert.equal(nearest([], 6), -1)
})

test('a place to the right of the labels is a moment, and the moment is that place', () => {
  const frame = { from: 1000, to: 2000, bottom: 0, top: 1, width: 240, height: 100, left: 40 }
  assert.equal(xOf(frame, 1000), 40)
  assert.equal(xOf(frame, 2000), 240)
  for (const at of [1000, 1250, 2000]) assert.equal(momentAt(frame, xOf(frame, at)), at)
})
