import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serverVersion } from './redis-program.ts'

test('the version of a server is read from what it says of itself', () => {
  assert.equal(serverVersion('Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64'), 7)
  assert.equal(serverVersion('Valkey server v=9.1.2 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64'), 9)
  assert.equal(serverVersion('something else'), 0)
})
