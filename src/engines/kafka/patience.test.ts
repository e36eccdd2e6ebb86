import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../../clock.ts'
import { engineNews } from '../../monitor/events.ts'
import { patiently } from './patience.ts'

function setUp() {
  const slept: number[] = []
  let now = 0
  const clock: Clock = {
    now: () => now,
    async sleep(ms) {
      slept.push(ms)
      now += ms
    },
  }
  return { slept, patience: { clock, patienceMs: 20_000, mayPass: (error: unknown) => error !== 'refused' } }
}

test('what fails for a while is tried again, less and less often, and never more than five seconds apart', async () => {
  const { slept, patience } = setUp()
  let failures = 8
  const act = async () => {
    if (failures-- > 0) throw 'away'
    return 'done'
  }
  assert.equal(await patiently(act, { ...patience, patienceMs: 60_000 }), 'done')
  assert.deepEqual(slept, [250, 500, 1000, 2000, 4000, 5000, 5000, 5000])
})

test('what lasts longer than the patience is told', async () => {
  const { slept, patience } = setUp()
  await assert.rejects(
    patiently(() => Promise.reject('away'), patience),
    (error) => error === 'away',
  )
  assert.ok(slept.reduce((sum, ms) => sum + ms, 0) >= 20_000)
})

test('what patience does not change is told at once', async () => {
  const { slept, patience } = setUp()
  await assert.rejects(
    patiently(() => Promise.reject('refused'), patience),
    (error) => error === 'refused',
  )
  assert.deepEqual(slept, [])
})

test('who waits for the brokers is told so, and who waits for a rebalance is not', async () => {
  const { patience } = setUp()
  const told: boolean[] = []
  using _listening = engineNews.listen(({ isAway }) => told.push(isAway))
  const failingOnce = (error: unknown) => {
    let failures = 1
    return async () => {
      if (failures-- > 0) throw error
    }
  }
  const rebalance = new Error('refused', {
    cause: Object.assign(new Error('later'), { apiId: 'REBALANCE_IN_PROGRESS' }),
  })
  await patiently(failingOnce(rebalance), patience)
  assert.deepEqual(told, [])
  await patiently(failingOnce(new Error('no broker answers')), patience)
  assert.deepEqual(told, [true, false])
})
