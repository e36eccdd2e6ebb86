import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCrawl } from '../../src/app.ts'
import { loadConfig, type Tree } from '../../src/config/load.ts'
import { openReader } from '../../src/embedded/open-reader.ts'
import { smallWeb } from '../web/presets.ts'
import { scratchFolder } from './crawl-of-web.ts'
import { differences } from './expectation.ts'
import { expectedOf, folderFor, impatient, startWeb } from './remote-crawl.ts'

// So few bytes may wait to be stored that a page whose bytes were never released would stop everything.
const scarce = { 'fetch.maxHeldBytes': 400_000 }

for (const threads of [0, 1, 3])
  test(`the test web crawled to its end gives exactly the expected set, politely, with ${threads} reading threads`, () =>
    crawlsExactly({ 'worker.threads': threads, ...(threads !== 1 && scarce) }))

/** The servers have a process of their own: in this one they would note requests late, while a page is being stored. */
async function crawlsExactly(settings: Record<string, unknown>): Promise<void> {
  await using web = await startWeb(smallWeb)
  using scratch = scratchFolder()
  const folder = folderFor(web, scratch.path, { ...impatient, 'url.scope': 'domain', ...settings })
  {
    await using crawl = await openCrawl(folder, loadConfig({ base: folder.orders.config as Tree }).config)
    assert.equal(await crawl.run(), 'finished')
  }
  const expected = await expectedOf(web)
  await using reader = await openReader(folder)
  assert.deepEqual(await differences(reader, expected), [])
  assert.deepEqual(await web.violations(), { robots: [], rate: [] })
  const fetched = new Map<string, number>()
  for (const { url, status } of await web.log()) if (status === 200) fetched.set(url, (fetched.get(url) ?? 0) + 1)
  const twice = [...fetched].filter(([url, times]) => times > 1 && expected.pages.has(url))
  assert.deepEqual(twice, [], 'no page is fetched twice')
}
