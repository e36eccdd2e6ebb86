import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCrawl } from '../../src/app.ts'
import { loadConfig, type Tree } from '../../src/config/load.ts'
import { openReader } from '../../src/embedded/open-reader.ts'
import { random } from '../web/random.ts'
import { scratchFolder } from './crawl-of-web.ts'
import { CrawlProcess } from './processes.ts'
import { folderFor, impatient, startWeb } from './remote-crawl.ts'

const kills = 6
const seed = process.env.ORBWEAVER_TEST_SEED ?? '1'
const web = { seed: 'rekilled', hosts: [{ character: 'changing', name: 'news', count: 4, pages: 12 }] } as const
const pages = 4 * 13

test(`${kills} kills while pages are visited again lose no page and no visit to come`, async () => {
  await using internet = await startWeb(web)
  using scratch = scratchFolder()
  const folder = folderFor(internet, scratch.path, { ...impatient, 'recrawl.minMs': 150 })
  const chance = random('rekills', seed)
  await using standby = new AsyncDisposableStack()
  let next = standby.use(new CrawlProcess(folder.path))
  for (let kill = 0; kill < kills; kill++) {
    const running = next
    next = standby.use(new CrawlProcess(folder.path))
    const seen = (await internet.log()).length
    await running.open()
    // All pages have been visited before the second kill.
    const requests = pages + chance.below(pages)
    while ((await internet.log()).length < seen + requests) await sleep(20)
    await running.kill()
    await internet.advance(3_600_000)
  }

  const { config } = loadConfig({ base: folder.orders.config as Tree })
  await using crawl = await openCrawl(folder, config)
  const ended = crawl.run()
  await using reader = await openReader(folder)
  while ((await reader.records.outlook(Date.now())).planned < pages) await sleep(50)
  const visitsNow = async () => {
    const visits = new Map<string, number>()
    for await (const { url } of reader.records.scan()) visits.set(url, (await reader.records.visits(url)).length)
    return visits
  }
  const before = await visitsNow()
  assert.equal(before.size, pages)
  for (;;) {
    const now = await visitsNow()
    if ([...now].every(([url, visits]) => visits > before.get(url)!)) break
    await sleep(50)
  }
  crawl.drain()
  assert.equal(await ended, 'stopped')

  const { tally, counts } = await crawl.progress()
  assert.equal(tally.pages, pages, 'each is counted once')
  assert.deepEqual({ admitted: counts.admitted, dead: counts.dead }, { admitted: pages, dead: 0 })
  const { planned } = await reader.records.outlook(Date.now())
  assert.equal(planned, pages)
  for await (const { url, warc, status } of reader.records.scan())
    assert.equal((await reader.archive.read(warc!))?.status, status, url)
})
