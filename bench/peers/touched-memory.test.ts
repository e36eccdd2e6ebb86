import assert from 'node:assert/strict'
import { test } from 'node:test'
import { touchFreeMemory } from './touched-memory.ts'

test('no more memory is touched than was asked for, and none where no host gives it', () => {
  const mib = touchFreeMemory(16)
  assert.ok(mib === 16 || mib === 0, `${mib} MiB`)
})
