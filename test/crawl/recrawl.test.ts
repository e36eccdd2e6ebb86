import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FolderCrawl, openCrawl } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import { createCrawlFolder } from '../../src/embedded/crawl-folder.ts'
import { openReader } from '../../src/embedded/open-reader.ts'
import { lifeOf } from '../../src/orchestrator/url-life.ts'
import type { CanonicalUrl } from '../../src/url/keys.ts'
import { startTestWeb, type TestWeb } from '../web/web.ts'
import { scratchFolder, settingsFor } from './crawl-of-web.ts'
import { impatient } from './remote-crawl.ts'

const dayMs = 86_400_000
const news = { seed: 'news', hosts: [{ character: 'changing', name: 'news', pages: 8, kinds: ['closing'] }] } as const
const often = {
  ...impatient,
  'recrawl.minMs': 200,
  'politeness.robots': { lifetimeMs: 100, retryMs: [50], retryLaterMs: 1000 },
}

test('pages are visited again until told to stop: what changed, went, came and closed is seen', async () => {
  await using web = await startTestWeb(news)
  await using site = await openSite(web)
  const { crawl, page, folder } = site
  const running = crawl.run()

  await until(crawl, ({ tally, outlook }) => tally.revisits >= 20 && outlook?.planned === 10)
  const before = await crawl.progress()
  assert.equal(before.tally.pages, 10)
  assert.equal(before.counts.admitted, 10)
  assert.equal(before.tally.unchanged, before.tally.revisits)
  const revisits = web.requests.filter(({ target }) => target === '/passing').slice(1)
  assert.ok(revisits.length > 0 && revisits.every(({ status }) => status === 304), 'asked whether it has changed')
  await using reader = await openReader(folder)
  const first = await reader.records.get(page('/'))

  web.advance(3 * dayMs)
  const { ledger, records } = reader
  const states = ['/passing', '/newcomer', '/closing'].map(page)
  for (;;) {
    const [passing, newcomer] = await Promise.all([records.get(states[0]!), records.get(states[1]!)])
    const closing = await ledger.lookup(states[2]!)
    if (passing?.status === 410 && newcomer && closing?.state === 'excluded') break
    await sleep(50)
  }
  const asked = web.requests.filter(({ target }) => target === '/closing').length
  const seen = (await crawl.progress()).tally.revisits
  await until(crawl, ({ tally }) => tally.revisits >= seen + 20)
  assert.equal(web.requests.filter(({ target }) => target === '/closing').length, asked, 'robots.txt is obeyed')
  assert.match((await ledger.lookup(page('/closing')))!.reason!, /robots/)
  const { tally, counts } = await crawl.progress()
  assert.ok(tally.unchanged < tally.revisits)
  assert.deepEqual({ pages: tally.pages, admitted: counts.admitted }, { pages: 11, admitted: 11 })

  crawl.drain()
  assert.equal(await running, 'stopped')
  await crawl[Symbol.asyncDispose]()
  const now = (await reader.records.get(page('/')))!
  assert.notEqual(now.contentHash, first!.contentHash)
  assert.equal((await reader.archive.read(now.warc!))!.status, 200)
  const life = await lifeOf(reader, site.config, page('/'))
  const due = life.events.at(-1)!
  assert.equal(due.kind, 'due')
  assert.equal(due.at, now.next!.dueAt)
  assert.match(due.detail, /^again 200 ms after the last visit: it had (not )?changed$/)
  const found = (await reader.index.search('site:news.test', 100)).map(({ url }) => url)
  assert.ok(found.includes(page('/newcomer')), 'what came is found')
  assert.ok(!found.includes(page('/passing')), 'what went is not')

  await using again = await openCrawl(folder, site.config)
  const resumed = again.run()
  await until(again, (progress) => progress.tally.revisits >= tally.revisits + 20)
  again.drain()
  assert.equal(await resumed, 'stopped')
  assert.equal((await again.progress()).tally.pages, 11)
})

async function openSite(web: TestWeb) {
  await using stack = new AsyncDisposableStack()
  const scratch = stack.use(scratchFolder())
  const { config, given } = loadConfig({ overrides: { ...settingsFor(web, scratch.path), ...often } })
  const folder = createCrawlFolder(join(scratch.path, 'crawl'), web.seeds, given)
  const crawl = stack.use(await openCrawl(folder, config))
  const opened = stack.move()
  const page = (path: string) => (web.hosts[0]!.origin + path) as CanonicalUrl
  return { crawl, folder, config, page, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

type Seen = Awaited<ReturnType<FolderCrawl['progress']>>

async function until(crawl: FolderCrawl, isSo: (progress: Seen) => boolean): Promise<void> {
  while (!isSo(await crawl.progress())) await sleep(50)
}
