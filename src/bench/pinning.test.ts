import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pinned, readCores } from './pinning.ts'

test('a list of cores is read with its ranges', () => {
  assert.deepEqual(readCores("pid 7's current affinity list: 0-2,5\n"), [0, 1, 2, 5])
  assert.deepEqual(readCores("pid 7's current affinity list: 3\n"), [3])
})

test('an answer that names no cores gives none', () => {
  assert.deepEqual(readCores('taskset: failed to get affinity'), [])
  assert.deepEqual(readCores(''), [])
})

test('without cores a command stays as it is', () => {
  assert.deepEqual(pinned(['node', 'x'], undefined), ['node', 'x'])
  assert.deepEqual(pinned(['node', 'x'], '0'), ['taskset', '-c', '0', 'node', 'x'])
})
