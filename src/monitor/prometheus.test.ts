import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { Instruments } from './instruments.ts'
import { prometheusText } from './prometheus.ts'

test('histograms are cumulated and end in +Inf, with their sum and count', () => {
  const instruments = new Instruments()
  for (const seconds of [0.002, 0.004, 40]) instruments.observe('orbweaver_stage_seconds', seconds, 'archive')
  const text = prometheusText(instruments.families())
  assert.match(text, /_bucket\{stage="archive",le="0.0025"\} 1\n/)
  assert.match(text, /_bucket\{stage="archive",le="30"\} 2\n/)
  assert.match(text, /_bucket\{stage="archive",le="\+Inf"\} 3\n/)
  assert.match(text, /_sum\{stage="archive"\} 40.006\n.*_count\{stage="archive"\} 3\n$/)
})

test('label values cannot break out of their quotes', () => {
  const instruments = new Instruments()
  instruments.add('orbweaver_visit_errors_total', 1, 'a"b\\c\nd\uD800')
  assert.match(prometheusText(instruments.families()), /\{reason="a\\"b\\\\c\\nd\uFFFD"\} 1\n$/)
})

const promtool = process.env.ORBWEAVER_TEST_PROMTOOL ?? 'promtool'
const isThere = spawnSync(promtool, ['--version']).status === 0

test('promtool finds nothing to mend', { skip: !isThere && 'promtool is not installed (package prometheus)' }, () => {
  const instruments = new Instruments()
  instruments.observe('orbweaver_stage_seconds', 1, 'archive')
  instruments.add('orbweaver_visit_errors_total', 1, 'a"b\\c\nd')
  instruments.set('orbweaver_storage_lag_seconds', 0.5)
  const { stdout, stderr, status } = spawnSync(promtool, ['check', 'metrics'], {
    input: prometheusText(instruments.families()),
  })
  assert.equal(status, 0, `${stdout}${stderr}`)
})
