import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCrawl } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import { createCrawlFolder } from '../../src/embedded/crawl-folder.ts'
import { startTestWeb } from '../web/web.ts'
import { scratchFolder, settingsFor } from './crawl-of-web.ts'

test('a hook that takes longer than a lease sees every page once, and none is fetched again', async () => {
  await using web = await startTestWeb({ hosts: [{ character: 'polite', name: 'site', pages: 8 }] })
  using scratch = scratchFolder()
  const overrides = { ...settingsFor(web, scratch.path), 'politeness.delayMs': 0 }
  const { config, given } = loadConfig({ overrides })
  const folder = createCrawlFolder(join(scratch.path, 'crawl'), web.seeds, given)
  // Shorter than the schema allows, to keep the test short.
  const leaseMs = 2300
  const seen: string[] = []
  await using crawl = await openCrawl(
    folder,
    { ...config, frontier: { ...config.frontier, leaseMs } },
    async (page) => {
      seen.push(page.url)
      if (seen.length === 2) await sleep(leaseMs + 200)
    },
  )

  assert.equal(await crawl.run(), 'finished')
  assert.deepEqual(seen.sort(), [...web.expected().pages.keys()].sort())
  assert.deepEqual(
    [...web.fetchCounts().values()].filter((times) => times > 1),
    [],
  )
})
