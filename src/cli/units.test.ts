import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstOf, readCount, readDurationMs, safe, showBytes, showDuration } from './units.ts'

test('times are read with their unit, seconds without', () => {
  const read = readDurationMs('delay')
  assert.deepEqual(
    ['0', '1', '0.5', '250ms', '30s', '10m', '2h', '1d'].map(read),
    [0, 1000, 500, 250, 30_000, 600_000, 7_200_000, 86_400_000],
  )
  for (const wrong of ['', 'soon', '-1', '1 week']) assert.throws(() => read(wrong), /--delay takes a time/)
})

test('counts are read with separators and suffixes', () => {
  const read = readCount('max-pages')
  assert.deepEqual(['7', '1_000', '10k', '2.5M'].map(read), [7, 1000, 10_000, 2_500_000])
  assert.throws(() => read('many'), /--max-pages takes a number/)
})

test('bytes and durations are shown for people', () => {
  assert.deepEqual([0, 999, 1000, 336_373, 20_000_000_000].map(showBytes), [
    '0 B',
    '999 B',
    '1.0 KB',
    '336 KB',
    '20.0 GB',
  ])
  assert.deepEqual([7, 2912, 45_000, 61_000, 7_260_000].map(showDuration), [
    '7 ms',
    '2.9 s',
    '45 s',
    '1 min 1 s',
    '2 h 1 min',
  ])
})

test('text of a page cannot steer a terminal', () => {
  assert.equal(safe('a\u001b[31mred\u0007 \u202ereversed\n\tb'), 'a\ufffd[31mred\ufffd \ufffdreversed b')
})

test('of many names the first three are told, and how many more there are', () => {
  assert.equal(firstOf(['a', 'b', 'c']), 'a, b, c')
  assert.equal(firstOf(['a', 'b', 'c', 'd', 'e']), 'a, b, c and 2 more')
})
