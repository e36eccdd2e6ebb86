import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import type { Clock } from '../clock.ts'
import { Alarms } from './alarms.ts'

/** Time that the test moves by hand, with a count of the timers that are set. */
function handClock(): Clock & { pass(ms: number): Promise<void>; readonly timers: number } {
  let now = 0
  const timers = new Map<() => void, number>()
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const end = () => {
          timers.delete(end)
          resolve()
        }
        timers.set(end, now + ms)
        signal?.addEventListener('abort', end)
      }),
    get timers() {
      return timers.size
    },
    async pass(ms) {
      now += ms
      for (const [end, at] of timers) if (at <= now) end()
      await nextTurn()
    },
  }
}

test('alarms ring in the order of their moments, none too soon, and those called off not at all', async () => {
  const alarm = fc.record({ at: fc.nat(50), cancelAt: fc.option(fc.nat(50)) })
  await fc.assert(
    fc.asyncProperty(fc.array(alarm, { maxLength: 40 }), async (wanted) => {
      const clock = handClock()
      const alarms = new Alarms(clock, new AbortController().signal)
      const rung: number[] = []
      const set = wanted.map(({ at }) =>
        alarms.at(at, () => {
          assert.ok(clock.now() >= at)
          rung.push(at)
        }),
      )
      for (let now = 0; now <= 50; now++) {
        for (const [i, { cancelAt }] of wanted.entries()) if (cancelAt === now) set[i]!.cancel()
        await clock.pass(1)
      }
      const left = wanted.filter(({ at, cancelAt }) => cancelAt === null || cancelAt > Math.max(at - 1, 0))
      assert.deepEqual(
        rung,
        left.map(({ at }) => at).sort((a, b) => a - b),
      )
      assert.equal(clock.timers, 0)
    }),
    { numRuns: 100 },
  )
})

test('thousands of alarms need one timer, and none once all are called off', () => {
  const clock = handClock()
  const alarms = new Alarms(clock, new AbortController().signal)
  const set = Array.from({ length: 5000 }, (_, i) => alarms.at(10_000 - i, () => {}))
  assert.equal(clock.timers, 1)
  for (const alarm of set) alarm.cancel()
  assert.equal(clock.timers, 0)
})

test('an alarm set while others ring is kept', async () => {
  const clock = handClock()
  const alarms = new Alarms(clock, new AbortController().signal)
  const rung: string[] = []
  alarms.at(10, () => {
    rung.push('first')
    alarms.at(20, () => rung.push('second'))
  })
  await clock.pass(10)
  await clock.pass(10)
  assert.deepEqual(rung, ['first', 'second'])
})

test('when the crawl drains all alarms ring at once, and what is set then waits for its moment', async () => {
  const clock = handClock()
  const draining = new AbortController()
  const alarms = new Alarms(clock, draining.signal)
  const rung: string[] = []
  alarms.at(1000, () => {
    rung.push('early')
    alarms.at(5, () => rung.push('later'))
  })
  draining.abort()
  assert.deepEqual(rung, ['early'])
  await clock.pass(5)
  assert.deepEqual(rung, ['early', 'later'])
})
