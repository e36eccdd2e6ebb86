import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../clock.ts'
import type { Settled } from '../frontier/frontier.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { engineNews, fetches, offers, safely, settlements, staged, stages } from './events.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { prometheusText } from './prometheus.ts'

const url = 'https://a.example/' as CanonicalUrl
const stopped: Clock & { at: number } = { at: 0, now: () => stopped.at, sleep: async () => {} }
const lines = (metrics: Metrics) => prometheusText(metrics.families()).split('\n')
const settled = (visit: Partial<Settled>, answer: 'settled' | 'lease-lost' = 'settled') =>
  settlements.tell({ host: 'a.example', visit: { url, kind: 'done', ...visit } as Settled, answer })

test('nobody is told anything before somebody listens, and nobody afterwards', () => {
  assert.equal(settlements.isHeard, false)
  const metrics = openMetrics(stopped)
  assert.equal(settlements.isHeard, true)
  metrics[Symbol.dispose]()
  for (const topic of [settlements, stages, fetches, offers, engineNews]) assert.equal(topic.isHeard, false)
})

test('what a settled visit adds is counted by outcome, reason and rule', () => {
  using metrics = openMetrics(stopped)
  settled({ adds: { requests: 1, bytes: 500, pages: 1, duplicates: 1, 'refused.out-of-scope': 3 } })
  settled({ adds: { requests: 2, bytes: 70, pages: 1 } })
  settled({ kind: 'dead', adds: { requests: 1, failures: 1, 'errors.dns-not-found': 1 } } as Partial<Settled>)
  const text = lines(metrics)
  for (const line of [
    'orbweaver_visits_total{outcome="page"} 2',
    'orbweaver_visits_total{outcome="failed"} 1',
    'orbweaver_visit_errors_total{reason="dns-not-found"} 1',
    'orbweaver_settlements_total{kind="dead"} 1',
    'orbweaver_pages_total{copy="duplicate"} 1',
    'orbweaver_pages_total{copy="original"} 1',
    'orbweaver_received_bytes_total 570',
    'orbweaver_requests_total 4',
    'orbweaver_links_refused_total{rule="out-of-scope"} 3',
  ])
    assert.ok(text.includes(line), `${line} is missing in\n${text.join('\n')}`)
  assert.deepEqual(metrics.stats(), {
    ...{ requests: 4, bytes: 570, pages: 2, failures: 1, 'errors.dns-not-found': 1, storageLagMs: 0 },
  })
})

test('a settlement that was refused counts nothing', () => {
  using metrics = openMetrics(stopped)
  settled({ adds: { requests: 1, pages: 1 } }, 'lease-lost')
  assert.equal(metrics.stats().pages, undefined)
})

test('stages are timed also when they fail, and their error passes through', async () => {
  using metrics = openMetrics(stopped)
  assert.equal(await staged('archive', url, async () => 7), 7)
  await assert.rejects(
    staged('archive', url, () => Promise.reject(new Error('full'))),
    /full/,
  )
  await staged('visit', url, async () => {})
  const text = lines(metrics)
  assert.ok(text.includes('orbweaver_stage_seconds_count{stage="archive"} 2'))
  assert.ok(text.includes('orbweaver_visit_seconds_count 1'))
})

test('storage lag is that of the oldest group that is not yet safe, also while it hangs', async () => {
  using metrics = openMetrics(stopped)
  const engine = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  stopped.at = 1000
  const first = safely(() => engine[0]!.promise)
  stopped.at = 3000
  const second = safely(() => engine[1]!.promise)
  stopped.at = 4000
  assert.equal(metrics.storageLagMs, 3000)
  engine[0]!.resolve()
  await first
  assert.equal(metrics.storageLagMs, 1000)
  engine[1]!.reject(new Error('gone'))
  await assert.rejects(second, /gone/)
  assert.equal(metrics.storageLagMs, 0)
  assert.ok(lines(metrics).includes('orbweaver_safe_group_seconds_sum 3'))
})

test('an engine that is waited for shows, until it is back', () => {
  using metrics = openMetrics(stopped)
  engineNews.tell({ engine: 's3', isAway: true, reason: 'ECONNREFUSED' })
  assert.ok(lines(metrics).includes('orbweaver_engine_away{engine="s3"} 1'))
  engineNews.tell({ engine: 's3', isAway: false, reason: '' })
  assert.ok(lines(metrics).includes('orbweaver_engine_away{engine="s3"} 0'))
})
