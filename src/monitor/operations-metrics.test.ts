import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Counters } from '../orchestrator/operations.ts'
import { operationsFamilies } from './operations-metrics.ts'
import { prometheusText } from './prometheus.ts'

const counters = {
  crawls: [
    {
      id: 'shop',
      counts: { admitted: 10, queued: 4, leased: 1, done: 3, excluded: 1, dead: 1 },
      ...{ bands: { high: 1, medium: 0, low: 6 }, carried: 2, outlook: { planned: 9, overdue: 4, nextAt: 1 } },
      tally: {
        ...{
          pages: 3,
          redirects: 1,
          others: 0,
          failures: 1,
          duplicates: 1,
          nearDuplicates: 0,
          requests: 6,
          bytes: 900,
        },
        ...{ refused: {}, errors: { 'status-404': 2 } },
      },
    },
  ],
  workers: [
    {
      ...{ id: 'w1', role: 'all', alive: true, silentMs: 500, pages: 3, openHosts: 2, cpuMs: 1500, rssBytes: 1000 },
      ...{ receivedBytes: 900, storageLagMs: 40, outcomes: { page: 3, failed: 1 }, errors: { 'dns-failed': 1 } },
    },
  ],
} as unknown as Counters

test('crawls, workers and alerts are told with their names', () => {
  const text = prometheusText(operationsFamilies({ counters, alerts: [], leads: true }))
  for (const line of [
    'orbweaver_crawl_urls{crawl="shop",state="queued"} 4',
    'orbweaver_crawl_band_urls{crawl="shop",band="low"} 6',
    'orbweaver_crawl_carried_urls{crawl="shop"} 2',
    'orbweaver_crawl_planned_visits{crawl="shop"} 9',
    'orbweaver_crawl_overdue_visits{crawl="shop"} 4',
    'orbweaver_crawl_visits_total{crawl="shop",outcome="page"} 3',
    'orbweaver_crawl_errors_total{crawl="shop",reason="status-404"} 2',
    'orbweaver_worker_visits_total{worker="w1",outcome="failed"} 1',
    'orbweaver_worker_errors_total{worker="w1",reason="dns-failed"} 1',
    'orbweaver_worker_cpu_seconds_total{worker="w1"} 1.5',
    'orbweaver_worker_storage_lag_seconds{worker="w1"} 0.04',
    'orbweaver_leads 1',
  ])
    assert.ok(text.includes(`${line}\n`), `${line} is missing in\n${text}`)
})

test('what is gone leaves no series behind', () => {
  assert.equal(prometheusText(operationsFamilies({ counters: { crawls: [], workers: [] }, alerts: [] })), '')
})
