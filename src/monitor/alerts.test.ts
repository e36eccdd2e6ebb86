import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertRules } from './alert-rules.ts'
import { type AlertState, fine, judge, type Measures } from './alerts.ts'

const ruleOf = (id: string) => alertRules.find((rule) => rule.id === id)!
const fetching = ruleOf('fetch-failing')

/** States after each look, a look every ten seconds. */
function follow(values: readonly (number | undefined)[], rule = fetching, rest: Measures = { requestsPerSecond: 50 }) {
  const states: AlertState[] = []
  for (const [i, value] of values.entries()) {
    const measures: Measures = value === undefined ? rest : { ...rest, [rule.of]: value }
    states.push(judge(rule, measures, states.at(-1) ?? fine, i * 10_000))
  }
  return states.map(({ state }) => state)
}

const times = <T>(count: number, value: T) => new Array<T>(count).fill(value)

test('an alert fires when the measure was bad for as long as the rule asks, not sooner', () => {
  assert.deepEqual(follow(times(13, 0.5)).slice(-2), ['pending', 'firing'])
})

test('one good moment begins the count anew', () => {
  assert.equal(follow([...times(12, 0.5), 0.9, ...times(12, 0.5)]).includes('firing'), false)
})

test('a firing alert does not end on the threshold, but beyond it and for a while', () => {
  const fired = times(13, 0.5)
  assert.equal(follow([...fired, ...times(100, 0.82)]).at(-1), 'firing')
  assert.equal(follow([...fired, ...times(12, 0.9)]).at(-1), 'firing')
  assert.equal(follow([...fired, ...times(13, 0.9)]).at(-1), 'ok')
})

test('a measure that swings around its threshold fires once', () => {
  const swinging = [...times(13, 0.5), ...Array.from({ length: 200 }, (_, i) => (i % 2 ? 0.79 : 0.86))]
  assert.deepEqual(
    follow(swinging)
      .slice(12)
      .filter((state) => state !== 'firing'),
    [],
  )
})

test('a measure that is not known neither fires nor ends an alert', () => {
  assert.equal(follow(times(50, undefined)).at(-1), 'ok')
  assert.equal(follow([...times(13, 0.5), ...times(100, undefined)]).at(-1), 'firing')
})

test('a rule whose conditions do not hold is not judged, and ends when they end', () => {
  assert.equal(follow(times(50, 0.1), fetching, { requestsPerSecond: 0.1 }).at(-1), 'ok')
  const fired = follow(times(13, 0.5))
  assert.equal(fired.at(-1), 'firing')
  let state: AlertState = { state: 'firing', since: 0, wellSince: null, value: 0.5 }
  for (let now = 0; now <= 120_000; now += 10_000)
    state = judge(fetching, { fetchSuccess: 0.5, requestsPerSecond: 0 }, state, now)
  assert.equal(state.state, 'ok')
})

test('throughput is expected only of a fleet that is made for it and has work', () => {
  const rule = ruleOf('throughput-low')
  const low = times(31, 100)
  assert.equal(follow(low, rule, { workers: 5, waitingHosts: 10 }).at(-1), 'firing')
  assert.equal(follow(low, rule, { workers: 2, waitingHosts: 10 }).at(-1), 'ok')
  assert.equal(follow(low, rule, { workers: 5, waitingHosts: 0 }).at(-1), 'ok')
})

test('every rule has a way back that is not its threshold’s bad side, and a name of its own', () => {
  assert.equal(new Set(alertRules.map(({ id }) => id)).size, alertRules.length)
  for (const { id, is, threshold, clearsAt } of alertRules)
    assert.ok(is === 'over' ? clearsAt <= threshold : clearsAt >= threshold, id)
})
