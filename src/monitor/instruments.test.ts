import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Instruments } from './instruments.ts'

test('a value on a bound falls into the bucket of that bound, one beyond all into the last', () => {
  const instruments = new Instruments()
  for (const seconds of [0.001, 0.0011, 31]) instruments.observe('orbweaver_fetch_seconds', seconds)
  const [family] = instruments.families()
  const { counts, sum } = family!.spreads[0]!
  assert.deepEqual([counts[0], counts[1], counts.at(-1)], [1, 1, 1])
  assert.equal(sum, 31.0021)
})

test('labels that come from outside without end share one series', () => {
  const instruments = new Instruments()
  for (let status = 0; status < 10_000; status++) instruments.add('orbweaver_visit_errors_total', 1, `status-${status}`)
  const [family] = instruments.families()
  assert.equal(family!.samples.length, 501)
  assert.equal(instruments.valueOf('orbweaver_visit_errors_total', 'other'), 9500)
})
