import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostKey } from '../../../url/keys.ts'
import { HostState } from './hosts.ts'
import { OpenLeases } from './open-leases.ts'

const pace = { gapMs: 0, burst: 1, connections: 1, failures: 0 }
const host = (id: number) => new HostState(id, `h${id}.test` as HostKey, pace)

test('a host that is leased again and again waits once, and expires only with its last lease', () => {
  const leases = new OpenLeases(1)
  const state = host(1)
  for (let now = 0; now < 1000; now++) leases.end(leases.grant(state, now + 100))
  const last = leases.grant(state, 1200)
  assert.equal(leases.nextExpiry, 100, 'one early entry stands for all')
  assert.deepEqual(leases.expired(1100), [])
  assert.equal(leases.nextExpiry, 1200)
  assert.deepEqual(leases.expired(1200), [last])
  leases.end(last)
  assert.equal(leases.nextExpiry, undefined)
})

test('a lease is held by its generation and in its time, not by others', () => {
  const leases = new OpenLeases(7)
  const lease = leases.grant(host(1), 100)
  assert.ok(lease.generation > 7 * 2 ** 32)
  assert.equal(leases.held(1, lease.generation, 99), lease)
  assert.equal(leases.held(1, lease.generation, 100), undefined)
  assert.equal(leases.held(1, lease.generation - 1, 99), undefined)
  assert.equal(leases.held(2, lease.generation, 99), undefined)
})
