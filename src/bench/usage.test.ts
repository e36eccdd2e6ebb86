import assert from 'node:assert/strict'
import { test } from 'node:test'
import { helperOf, writtenBytesOf } from './usage.ts'

const stat = (name: string) => `71 (${name}) S 1 2 3 0 -1 4194560 10 0 0 0 12 34 0 0 20 0 11 0 99 1 2`

test('threads of the engine and of the pool are told from those that run JavaScript', () => {
  assert.deepEqual(helperOf(stat('node-V8Worker')), { kind: 'engine', cpuMs: 460 })
  assert.deepEqual(helperOf(stat('libuv-worker')), { kind: 'pool', cpuMs: 460 })
  assert.equal(helperOf(stat('node-MainThread')), undefined)
  assert.equal(helperOf(stat('WorkerThread')), undefined)
})

test('a thread may have blanks and brackets in its name', () => {
  assert.deepEqual(helperOf(stat('a V8Worker) (x')), { kind: 'engine', cpuMs: 460 })
})

test('bytes written are read where the system tells them', () => {
  assert.equal(writtenBytesOf('rchar: 1\nwrite_bytes: 4096\ncancelled_write_bytes: 7\n'), 4096)
  assert.equal(writtenBytesOf(''), null)
})
