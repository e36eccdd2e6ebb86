import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../../../clock.ts'
import { RecentlyCarried } from './recently-carried.ts'

function setUp() {
  const time = { now: 0 }
  const clock: Clock = { now: () => time.now, sleep: async () => {} }
  return { time, recent: new RecentlyCarried(clock, 100, 1000) }
}

test('what was carried a moment ago is known, anything else is not', () => {
  const { recent } = setUp()
  recent.add('a')
  assert.deepEqual([recent.has('a'), recent.has('b')], [true, false])
})

test('it is forgotten after its time, also when nothing happened meanwhile', () => {
  const { recent, time } = setUp()
  recent.add('a')
  time.now = 500
  assert.equal(recent.has('a'), true)
  time.now = 5000
  assert.equal(recent.has('a'), false)
})

test('nothing is remembered longer than its time, however often it is asked for', () => {
  const { recent, time } = setUp()
  recent.add('a')
  let last = 0
  for (; time.now < 3000; time.now += 10) if (recent.has('a')) last = time.now
  assert.ok(last <= 1000)
})

test('no more are remembered than allowed', () => {
  const { recent } = setUp()
  for (let n = 0; n < 1000; n++) recent.add(`${n}`)
  const known = Array.from({ length: 1000 }, (_, n) => recent.has(`${n}`)).filter(Boolean)
  assert.ok(known.length <= 100 && known.length >= 50)
})
