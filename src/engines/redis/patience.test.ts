import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../../clock.ts'
import type { RedisClient } from './connect.ts'
import { patiently } from './patience.ts'

const open = { status: 'ready' } as RedisClient

function noting(): Clock & { readonly waits: number[] } {
  const waits: number[] = []
  return { waits, now: () => 0, sleep: async (ms) => void waits.push(ms) }
}

/** Fails so often, then answers. */
function failing(times: number, message: string) {
  return async () => {
    if (times-- > 0) throw new Error(message)
    return 'done'
  }
}

test('what an engine says while it starts or fails over is waited out, longer each time', async () => {
  for (const message of [
    'LOADING Redis is loading',
    'READONLY You can not write',
    'CLUSTERDOWN Hash slot not served',
    'MOVED 1257 127.0.0.1:20042',
    'OOM command not allowed when used memory is above the limit',
  ]) {
    const clock = noting()
    assert.equal(await patiently(open, clock, failing(9, message)), 'done')
    assert.deepEqual(clock.waits, [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000])
  }
})

test('what does not pass by waiting is thrown at once, and so is everything once the client is closed', async () => {
  const clock = noting()
  await assert.rejects(patiently(open, clock, failing(1, 'NOPERM no')), { message: 'NOPERM no' })
  const closed = { status: 'end' } as RedisClient
  await assert.rejects(patiently(closed, clock, failing(1, 'Connection is closed.')), {
    message: 'Connection is closed.',
  })
  assert.deepEqual(clock.waits, [])
})
