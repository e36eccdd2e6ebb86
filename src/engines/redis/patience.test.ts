import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import type { RedisClient } from './connect.ts'
import { patiently, reasonToWait } from './patience.ts'

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
    'MISCONF Errors writing to the AOF file: No space left on device script: cd428d, on @user_script:9.',
  ]) {
    const clock = noting()
    assert.equal(await patiently(open, clock, failing(9, message)), 'done')
    assert.deepEqual(clock.waits, [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000])
  }
})

test('what does not pass by waiting is thrown at once, and so is everything once the client is closed', async () => {
  const clock = noting()
  await assert.rejects(patiently(open, clock, failing(1, 'ERR no')), { message: 'ERR no' })
  await assert.rejects(patiently(open, clock, failing(1, 'NOAUTH no')), (error) => {
    assert.ok(error instanceof UsageError)
    assert.match(error.message, /no longer lets us do our work \(NOAUTH no\): correct engines\.redis/)
    return true
  })
  const closed = { status: 'end' } as RedisClient
  await assert.rejects(patiently(closed, clock, failing(1, 'Connection is closed.')), {
    message: 'Connection is closed.',
  })
  assert.deepEqual(clock.waits, [])
})

test('why an engine is waited for is said with what to do, and without the names of scripts', () => {
  const said = [
    "OOM command not allowed when used memory > 'maxmemory'. script: d007, on @user_script:170.",
    'MISCONF Errors writing to the AOF file: No space left on device script: cd42, on @user_script:9.',
    'READONLY You can not write against a read only replica. script: cd42, on @user_script:9.',
  ].map((message) => reasonToWait(new Error(message)))
  assert.deepEqual(said, [
    'its memory is full: raise its maxmemory',
    'it cannot write to its disk: free some space, see its log',
    'READONLY You can not write against a read only replica',
  ])
})
