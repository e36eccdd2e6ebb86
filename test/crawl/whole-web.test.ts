import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallWeb } from '../web/presets.ts'
import { startTestWeb } from '../web/web.ts'
import { crawlWeb } from './crawl-of-web.ts'
import { differences } from './expectation.ts'
import { impatient } from './remote-crawl.ts'

// So few bytes may wait to be stored that a page whose bytes were never released would stop everything.
const scarce = { 'fetch.maxHeldBytes': 400_000 }

for (const threads of [0, 1, 3])
  test(`the test web crawled to its end gives exactly the expected set, politely, with ${threads} reading threads`, () =>
    crawlsExactly({ 'worker.threads': threads, ...(threads !== 1 && scarce) }))

async function crawlsExactly(settings: Record<string, unknown>): Promise<void> {
  await using web = await startTestWeb(smallWeb)
  await using crawl = await crawlWeb(web, { ...impatient, 'url.scope': 'domain', ...settings })
  const expected = web.expected()

  assert.equal(crawl.reason, 'finished')
  assert.deepEqual(await differences(crawl.reader, expected), [])
  assert.deepEqual(web.robotsViolations(), [])
  assert.deepEqual(web.rateViolations(), [])
  const twice = [...web.fetchCounts(({ status }) => status === 200)].filter(
    ([url, n]) => n > 1 && expected.pages.has(url),
  )
  assert.deepEqual(twice, [], 'no page is fetched twice')
}
