import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../config/usage-error.ts'
import { beyondOpening, growthPlan } from './growth.ts'
import { runOf } from './runs.fixture.ts'
import { usByStage } from './stages.ts'

test('what opening the folder costs is taken off, stage by stage', () => {
  const opening = runOf({ pages: 20, cpuMs: 400, engineMs: 40, writtenBytes: 1000, us: { '/src/frontier/a.ts': 300 } })
  const us = { '/src/frontier/a.ts': 450, '/src/parse/b.ts': 700 }
  const run = runOf({ pages: 120, cpuMs: 1000, engineMs: 90, writtenBytes: 5000, durationMs: 2500, us })
  const { summary, usage, stacks } = beyondOpening(run, opening)
  assert.equal(summary.pages, 100)
  assert.equal(summary.durationMs, 1500)
  assert.equal(usage.cpuMs, 600)
  assert.equal(usage.helperMs.engine, 50)
  assert.equal(usage.writtenBytes, 4000)
  assert.deepEqual(Object.fromEntries(usByStage(stacks)), { frontier: 150, parse: 700 })
})

test('the site’s known pages are never more than the first size', () => {
  for (const smoke of [true, false]) {
    const { sitePages, knownUrls } = growthPlan({ smoke, pages: undefined, maxUrls: undefined })
    assert.ok((sitePages * 4) / 5 <= knownUrls[0]!)
  }
  assert.throws(() => growthPlan({ smoke: false, pages: 2001, maxUrls: undefined }), UsageError)
})

test('sizes above the wish are left out, but not all of them', () => {
  assert.deepEqual(growthPlan({ smoke: false, pages: undefined, maxUrls: 150_000 }).knownUrls, [10_000, 100_000])
  assert.throws(() => growthPlan({ smoke: false, pages: undefined, maxUrls: 10 }), UsageError)
})
