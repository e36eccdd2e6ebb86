import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallWeb } from '../web/presets.ts'
import { startTestWeb } from '../web/web.ts'
import { crawlWeb } from './crawl-of-web.ts'
import { differences } from './expectation.ts'

test('the test web crawled to its end gives exactly the expected set, politely', async () => {
  await using web = await startTestWeb(smallWeb)
  await using crawl = await crawlWeb(web, {
    'url.scope': 'domain',
    'politeness.delayMs': 0,
    'politeness.throttledGapMs': 20,
    'politeness.maxGapMs': 100,
    'politeness.circuit': { failures: 5, holdMs: 50, maxHoldMs: 200 },
    'politeness.robots': { retryMs: [50, 100, 200], retryLaterMs: 300_000 },
    'fetch.retryDelaysMs': [100, 200, 400],
    'limits.maxWaitMs': 5000,
  })
  const expected = web.expected()

  assert.equal(crawl.reason, 'finished')
  assert.deepEqual(await differences(crawl.reader, expected), [])
  assert.deepEqual(web.robotsViolations(), [])
  assert.deepEqual(web.rateViolations(), [])
  const twice = [...web.fetchCounts(({ status }) => status === 200)].filter(
    ([url, n]) => n > 1 && expected.pages.has(url),
  )
  assert.deepEqual(twice, [], 'no page is fetched twice')
})
