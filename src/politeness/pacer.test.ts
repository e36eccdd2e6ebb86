import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Pace } from './pace.ts'
import { Pacer } from './pacer.ts'

const paceOf = (some: Partial<Pace>): Pace => ({ gapMs: 1000, burst: 1, connections: 1, failures: 0, ...some })
/** A gap, and the tick by which a clock of whole milliseconds may be behind. */
const GAP = 1001

function touch(pacer: Pacer, now: number) {
  assert.equal(pacer.nextTouchInMs(now), 0)
  pacer.touched(now)
  pacer.finished()
}

test('a host is not touched before its lease allows', () => {
  const pacer = new Pacer(paceOf({}), 500)
  assert.equal(pacer.lastTouchAt, null)
  assert.equal(pacer.nextTouchInMs(100), 400)
  touch(pacer, 500)
  assert.equal(pacer.lastTouchAt, 500)
})

test('the next touch is a gap after the actual last one, and being late earns no catch-up', () => {
  const pacer = new Pacer(paceOf({}), 0)
  touch(pacer, 5000)
  assert.equal(pacer.nextTouchInMs(5000), GAP)
  touch(pacer, 9000)
  assert.equal(pacer.nextTouchInMs(9000), GAP)
})

test('a burst is earned by quiet time, one token each gap, and a lease begins with one', () => {
  const pacer = new Pacer(paceOf({ burst: 3 }), 0)
  touch(pacer, 0)
  assert.equal(pacer.nextTouchInMs(0), GAP)
  for (let count = 0; count < 3; count++) touch(pacer, 100_000)
  assert.equal(pacer.nextTouchInMs(100_000), GAP)
  for (let count = 0; count < 2; count++) touch(pacer, 100_000 + 2 * GAP)
  assert.equal(pacer.nextTouchInMs(100_000 + 2 * GAP), GAP)
})

test('a host known to have been quiet may be given its burst at once', () => {
  const pacer = new Pacer(paceOf({ burst: 3 }), 0, 3 * GAP)
  for (let count = 0; count < 3; count++) touch(pacer, 0)
  assert.equal(pacer.nextTouchInMs(0), GAP)
})

test('a touch that weighs less than a whole one is followed sooner, and the one after that is not', () => {
  const pacer = new Pacer(paceOf({}), 0)
  touch(pacer, 0)
  pacer.weighLastTouch(0.25)
  assert.equal(pacer.nextTouchInMs(0), 251)
  touch(pacer, 251)
  assert.equal(pacer.nextTouchInMs(251), GAP)
})

test('with every connection in use there is no next touch until one is free', () => {
  const pacer = new Pacer(paceOf({ gapMs: 0, connections: 2 }), 0)
  pacer.touched(0)
  assert.equal(pacer.nextTouchInMs(0), 0)
  pacer.touched(0)
  assert.equal(pacer.nextTouchInMs(0), null)
  assert.equal(pacer.open, 2)
  pacer.finished()
  assert.equal(pacer.nextTouchInMs(0), 0)
})

test('a slower pace holds at once, counted from the last touch', () => {
  const pacer = new Pacer(paceOf({}), 0)
  touch(pacer, 0)
  pacer.setPace(paceOf({ gapMs: 4000 }))
  assert.equal(pacer.nextTouchInMs(1000), 3001)
  pacer.setPace(paceOf({ gapMs: 500 }))
  assert.equal(pacer.nextTouchInMs(100), 401)
})

test('a host without a gap that is given one waits for it from its last touch', () => {
  const pacer = new Pacer(paceOf({ gapMs: 0, connections: 16 }), 0)
  touch(pacer, 10)
  touch(pacer, 10)
  pacer.setPace(paceOf({}))
  assert.equal(pacer.nextTouchInMs(10), GAP)
})

test('a larger burst is not there before it is earned', () => {
  const pacer = new Pacer(paceOf({}), 0)
  pacer.setPace(paceOf({ burst: 5 }))
  touch(pacer, 0)
  assert.equal(pacer.nextTouchInMs(0), GAP)
})

test('a hold moves the next touch back, never forth', () => {
  const pacer = new Pacer(paceOf({}), 0)
  pacer.holdUntil(7000)
  pacer.holdUntil(100)
  assert.equal(pacer.nextTouchInMs(0), 7000)
  pacer.setPace(paceOf({}))
  assert.equal(pacer.nextTouchInMs(0), 7000)
})

test('no sliding window ever holds more touches than the bucket allows, whatever the delays and changes of burst', () => {
  const step = fc.record({ late: fc.nat(5000), burst: fc.integer({ min: 1, max: 4 }), change: fc.boolean() })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.array(step, { maxLength: 60 }), (gapMs, steps) => {
      const pacer = new Pacer(paceOf({ gapMs, burst: 4, connections: 99 }), 0)
      const touches: number[] = []
      let now = 0
      for (const { late, burst, change } of steps) {
        if (change) pacer.setPace(paceOf({ gapMs, burst, connections: 99 }))
        now += pacer.nextTouchInMs(now)! + (late > 2500 ? late : 0)
        pacer.touched(now)
        touches.push(now)
      }
      for (let first = 0; first < touches.length; first++)
        for (let last = first; last < touches.length; last++)
          assert.ok(last - first + 1 <= 4 + (touches[last]! - touches[first]!) / gapMs)
    }),
  )
})

test('a request that goes out late moves the next one by as much', () => {
  const pacer = new Pacer({ gapMs: 1000, burst: 1, connections: 2, failures: 0 }, 0)
  pacer.touched(0)
  pacer.sent(300, 0)
  assert.equal(pacer.nextTouchInMs(300), 1001)
  assert.equal(pacer.lastTouchAt, 300)
})
