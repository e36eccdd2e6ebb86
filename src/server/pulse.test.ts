import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlCounters, WorkerCounters } from '../orchestrator/operations.ts'
import { tallyOf } from '../worker/tally.ts'
import { snapshot as snapshotSchema } from './api/schemas/overview.ts'
import { Pulse } from './pulse.ts'

function crawl(sums: Record<string, number>, more: Partial<CrawlCounters> = {}): CrawlCounters {
  const counts = { admitted: 100, queued: 60, leased: 0, done: sums.pages ?? 0, excluded: 0, dead: 0 }
  const waiting = { counts, bands: null, carried: 0, outlook: null }
  return { id: 'news', state: 'running', tally: tallyOf(sums), ...waiting, openHosts: 2, maxPages: 0, ...more }
}

function worker(more: Partial<WorkerCounters> = {}): WorkerCounters {
  return {
    ...{ id: 'w', role: 'all', host: 'h', pid: 1, region: 'default', version: '1', startedAt: 0, alive: true },
    ...{ silentMs: 0, crawls: ['news'], openHosts: 2, pages: 0, cpuMs: 0, rssBytes: 1e8, receivedBytes: 0 },
    ...{ storageLagMs: 5, ...more },
  }
}

test('rates, shares and what is left follow from counters that rise', () => {
  const pulse = new Pulse()
  pulse.look({ crawls: [crawl({ pages: 10 })], workers: [worker()] }, 0, 0)
  const sums = {
    pages: 30,
    duplicates: 3,
    nearDuplicates: 1,
    failures: 5,
    requests: 26,
    bytes: 50_000,
    'errors.reset': 5,
  }
  const workers = [worker({ pages: 20, cpuMs: 5000, receivedBytes: 50_000 })]
  const snapshot = pulse.look({ crawls: [crawl(sums)], workers }, 10_000, 2)
  assert.equal(snapshotSchema.safeParse(snapshot).error, undefined)
  assert.equal(snapshot.pagesPerSecond, 2)
  assert.equal(snapshot.bytesPerSecond, 5000)
  assert.equal(snapshot.duplicateRate, 0.2)
  assert.equal(snapshot.fetchSuccess, 0.8)
  assert.equal(snapshot.parseSuccess, 1)
  assert.deepEqual(snapshot.errors, { reset: 5 })
  assert.equal(snapshot.storageLagMs, 5)
  assert.equal(snapshot.high, null)
  assert.equal(snapshot.crawls[0]!.timeLeftMs, 30_000)
  assert.equal(snapshot.workerList[0]!.cpuShare, 0.5)
  assert.equal(snapshot.workerList[0]!.bytesPerSecond, 5000)
  assert.equal(snapshot.alertsFiring, 2)
})

test('a limit of pages may come before the queue is empty, and a crawl that rests has no end', () => {
  const pulse = new Pulse()
  const look = (pages: number, at: number, more: Partial<CrawlCounters>) =>
    pulse.look({ crawls: [crawl({ pages }, more)], workers: [] }, at, 0).crawls[0]!.timeLeftMs
  look(0, 0, { maxPages: 30 })
  assert.equal(look(20, 10_000, { maxPages: 30 }), 5000)
  assert.equal(look(20, 11_000, { maxPages: 30, state: 'paused' }), null)
})

test('a crawl that has ended leaves no dent, and a worker that is dead does not count', () => {
  const pulse = new Pulse()
  const others = { id: 'other' }
  pulse.look({ crawls: [crawl({ pages: 10 }), crawl({ pages: 500 }, others)], workers: [worker()] }, 0, 0)
  pulse.look({ crawls: [crawl({ pages: 20 }), crawl({ pages: 510 }, others)], workers: [worker()] }, 5000, 0)
  const snapshot = pulse.look({ crawls: [crawl({ pages: 30 })], workers: [worker({ alive: false })] }, 10_000, 0)
  assert.equal(snapshot.pagesPerSecond, 2)
  assert.equal(snapshot.workers, 0)
  assert.equal(snapshot.memoryBytes, null)
})

test('nothing at all is a snapshot, too', () => {
  const snapshot = new Pulse().look({ crawls: [], workers: [] }, 0, 0)
  assert.equal(snapshotSchema.safeParse(snapshot).error, undefined)
  assert.equal(snapshot.fetchSuccess, null)
})
