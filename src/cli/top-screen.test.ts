import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Snapshot } from '../server/api/schemas/overview.ts'
import { sparkline, topScreen } from './top-screen.ts'

const counts = { admitted: 90, queued: 40, leased: 8, done: 40, excluded: 0, dead: 2 }
const snapshot: Snapshot = {
  ...{
    at: 0,
    pagesPerSecond: 123.4,
    requestsPerSecond: 130,
    bytesPerSecond: 2_500_000,
    queued: 40,
    leased: 8,
    dead: 2,
    carried: 0,
  },
  ...{ high: 1, medium: 2, low: 3, duplicateRate: 0.05, fetchSuccess: 0.975, parseSuccess: 1, storageLagMs: 1200 },
  ...{ errorsPerSecond: 1, workers: 1, cpuShare: 0.5, memoryBytes: 1e8, errors: { 'dns-failed': 3, reset: 7 } },
  crawls: [
    { id: 'news', state: 'running', pages: 40, counts, pagesPerSecond: 123.4, openHosts: 3, timeLeftMs: 65_000 },
  ],
  workerList: [
    {
      ...{ id: 'w-1', role: 'all', host: 'h', pid: 1, region: 'default', version: '1', startedAt: 0, alive: false },
      ...{ silentMs: 12_000, cpuShare: 0.5, memoryBytes: 1e8, bytesPerSecond: 1, pagesPerSecond: 4.5, pages: 40 },
      ...{ openHosts: 3, storageLagMs: 3, crawls: ['news'] },
    },
  ],
  alertsFiring: 1,
  fault: null,
}

test('rates, crawls, workers and errors stand on one screen, the most important first', () => {
  const lines = topScreen(snapshot, [1, 2], 100)
  assert.match(lines[0]!, /123 pages\/s {2}▅█ {2}1 alert firing/)
  assert.match(lines[1]!, /130 requests\/s {2}2\.5 MB\/s {2}1 worker {2}storage lag 1\.2 s/)
  assert.match(lines[2]!, /40 queued .* fetch success 97\.5 % {2}copies 5\.0 %/)
  assert.ok(lines.some((line) => /^news +running +40 +40 +2 +123 +1 min 5 s$/.test(line)))
  assert.ok(lines.some((line) => /^w-1 +all +4\.5 +3 +50\.0 % +100 MB +12 s$/.test(line)))
  assert.ok(lines.findIndex((line) => /reset +7/.test(line)) < lines.findIndex((line) => /dns-failed +3/.test(line)))
})

test('a small screen shows no more lines than it has', () => {
  assert.equal(topScreen(snapshot, [], 4).length, 4)
})

test('nothing to show is said so', () => {
  const lines = topScreen({ ...snapshot, crawls: [], workerList: [], errors: {} }, [], 100)
  assert.ok(lines.includes('no crawls') && lines.includes('no workers'))
})

test('a line of rates has its highest point at the top, and zero at the bottom', () => {
  assert.equal(sparkline([0, 5, 10]), '▁▅█')
  assert.equal(sparkline([0, 0]), '▁▁')
  assert.equal(sparkline([]), '')
})
