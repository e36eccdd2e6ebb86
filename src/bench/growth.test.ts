import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../config/usage-error.ts'
import { growthPlan, onceUnderWay } from './growth.ts'
import { runOf } from './runs.fixture.ts'

test('what came before the crawl was under way is taken off', () => {
  const run = runOf({ pages: 120, cpuMs: 1000, engineMs: 90, writtenBytes: 5000, durationMs: 2500 })
  const underWay = {
    ...{ done: { pages: 20, requests: 21, bytes: 400_000 }, elapsedMs: 1000, atUs: 1 },
    usage: { cpuMs: 400, helperMs: { engine: 40, pool: 0 }, writtenBytes: 1000 },
  }
  const { summary, usage } = onceUnderWay({ ...run, underWay })
  assert.deepEqual([summary.pages, summary.requests, summary.bytes], [100, 100, 2_000_000])
  assert.equal(summary.durationMs, 1500)
  assert.equal(usage.cpuMs, 600)
  assert.equal(usage.helperMs.engine, 50)
  assert.equal(usage.writtenBytes, 4000)
})

test('a crawl that was over before anyone looked counts as a whole', () => {
  const run = runOf({ pages: 120 })
  assert.equal(onceUnderWay(run), run)
})

test('the site’s known pages are never more than the first size', () => {
  for (const smoke of [true, false]) {
    const { sitePages, knownUrls } = growthPlan({ smoke, pages: undefined, maxUrls: undefined })
    assert.ok((sitePages * 4) / 5 <= knownUrls[0]!)
  }
  assert.throws(() => growthPlan({ smoke: false, pages: 5001, maxUrls: undefined }), UsageError)
})

test('sizes above the wish are left out, but not all of them', () => {
  assert.deepEqual(growthPlan({ smoke: false, pages: undefined, maxUrls: 150_000 }).knownUrls, [10_000, 100_000])
  assert.throws(() => growthPlan({ smoke: false, pages: undefined, maxUrls: 10 }), UsageError)
})
