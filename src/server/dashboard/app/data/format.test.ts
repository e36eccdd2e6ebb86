import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytes, count, duration, moment, percent, relative, short } from './format.ts'

test('durations are told in the two units that matter', () => {
  const told = [0, 420, 3200, 59_900, 60_000, 250_000, 7_500_000, 273_600_000].map(duration)
  assert.deepEqual(told, ['0 ms', '420 ms', '3.2 s', '59 s', '1 min', '4 min 10 s', '2 h 5 min', '3 d 4 h'])
})

test('sizes never need more than four digits', () => {
  assert.deepEqual([0, 999, 1024, 5_000_000, 9e14].map(bytes), ['0 B', '999 B', '1.0 KB', '5.0 MB', '900 TB'])
})

test('shares under ten per cent keep a digit, and none is told as zero that is not', () => {
  assert.deepEqual([0, 0.004, 0.126, 1].map(percent), ['0 %', '0.4 %', '13 %', '100 %'])
})

test('numbers are whole or short', () => {
  assert.equal(count(1_234_567.4), '1,234,567')
  assert.deepEqual([0, 0.25, 3.14, 12_345].map(short), ['0', '0.25', '3.1', '12.3K'])
})

test('a moment is told from now, and a wrong one as nothing', () => {
  assert.deepEqual([relative(5000, 0), relative(0, 90_000), relative(10, 0)], ['in 5 s', '1 min 30 s ago', 'now'])
  assert.equal(moment(Number.NaN), '')
})
