import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CanonicalUrl } from '../../src/url/keys.ts'
import { oneBigHost, wideWeb } from '../web/presets.ts'
import { startTestWeb, type TestWeb } from '../web/web.ts'
import { crawlWeb } from './crawl-of-web.ts'
import { differences } from './expectation.ts'

const delayMs = 60
/**
 * The time that a host's requests took as its server saw them, against what the delay asks for. One may arrive late.
 * After robots.txt a quarter of the delay is waited: it is no page, and asked for once a day.
 */
const share = (web: TestWeb, host: string, gapMs = delayMs) => {
  const log = web.log(host)
  return (log.at(-1)!.atMs - log[0]!.atMs) / ((log.length - 1.75) * gapMs)
}
const hostNames = (web: { hosts: readonly { name: string }[] }) => web.hosts.map(({ name }) => name)

test('the delay is kept for every host, by what the servers saw, while hosts are visited side by side', async () => {
  await using web = await startTestWeb(wideWeb(20, 6))
  const startedAt = performance.now()
  await using crawl = await crawlWeb(web, { 'politeness.delayMs': delayMs })
  const elapsedMs = performance.now() - startedAt
  assert.deepEqual(await differences(crawl.reader, web.expected()), [])
  for (const host of hostNames(web)) assert.ok(share(web, host) >= 0.9, `${host}: ${share(web, host)}`)
  assert.ok(elapsedMs < 20 * 7 * delayMs, 'one after the other would have taken longer')
})

test('a burst lets requests start together, and the average still holds', async () => {
  const gapMs = 40
  let startedTogether = false
  // On a busy machine pages may come so slowly that there are never two to begin with.
  for (let attempt = 0; attempt < 5 && !startedTogether; attempt++) {
    await using web = await startTestWeb(oneBigHost(30))
    await using _crawl = await crawlWeb(web, {
      'politeness.delayMs': gapMs,
      'politeness.burst': 5,
      'politeness.connections': 5,
    })
    const times = web.requests.map(({ atMs }) => atMs)
    const elapsedMs = times.at(-1)! - times[0]!
    assert.ok(elapsedMs >= (times.length - 6) * gapMs * 0.9, `${times.length} requests in ${elapsedMs} ms`)
    startedTogether = web.minGapMs(web.hosts[0]!.name) < gapMs / 2
  }
  assert.ok(startedTogether)
})

test('settings of one host hold for that host alone', async () => {
  await using web = await startTestWeb(wideWeb(2, 8))
  const [slow, fast] = hostNames(web)
  const slowMs = 200
  const hosts = { [slow!]: { delayMs: slowMs } }
  await using _crawl = await crawlWeb(web, { 'politeness.delayMs': 0, 'politeness.hosts': hosts })
  assert.ok(share(web, slow!, slowMs) >= 0.9)
  assert.ok(share(web, fast!, slowMs) < 0.9)
})

test('every request carries the honest name, and robots.txt is asked for once for each host', async () => {
  await using web = await startTestWeb(wideWeb(5, 4))
  await using _crawl = await crawlWeb(web, {
    'politeness.delayMs': 0,
    'fetch.contact': 'https://crawler.example/about',
  })
  for (const { userAgent } of web.requests)
    assert.match(userAgent, /^orbweaver\/[\d.]+ \(\+https:\/\/crawler\.example\/about\)$/)
  const robots = web.requests.filter(({ target }) => target === '/robots.txt')
  assert.equal(robots.length, 5)
})

test('a limit of pages is exact, however many requests are under way', async () => {
  for (const maxPages of [1, 17, 50]) {
    await using web = await startTestWeb(wideWeb(10, 20))
    await using crawl = await crawlWeb(web, { 'politeness.delayMs': 0, 'limits.maxPages': maxPages })
    assert.equal(crawl.reason, 'limit')
    assert.equal(crawl.progress.tally.pages, maxPages)
    assert.equal(web.requests.filter(({ target }) => target !== '/robots.txt').length, maxPages)
  }
})

test('every request that went out is counted, also where no page came of it', async () => {
  await using web = await startTestWeb({
    seed: 'counted',
    hosts: [
      { character: 'polite', pages: 10 },
      { character: 'robots-broken', count: 1, pages: 4, kinds: ['always-500'] },
    ],
  })
  await using crawl = await crawlWeb(web, { 'politeness.delayMs': 0, 'limits.maxWaitMs': 0 })
  assert.equal(crawl.progress.tally.requests, web.requests.length)
})

test('a limit of depth follows no link beyond it', async () => {
  await using web = await startTestWeb(oneBigHost(60))
  await using crawl = await crawlWeb(web, { 'politeness.delayMs': 0, 'limits.maxDepth': 1 })
  const depths = new Set<number>()
  for await (const { depth } of crawl.reader.records.scan()) depths.add(depth)
  assert.deepEqual([...depths].sort(), [0, 1])
  assert.ok(crawl.progress.tally.refused['max-depth']! > 0)
})

test('a limit of time ends the crawl in order, with the rest queued', async () => {
  await using web = await startTestWeb(oneBigHost(300))
  await using crawl = await crawlWeb(web, { 'politeness.delayMs': 20, 'limits.maxDurationMs': 2000 })
  assert.equal(crawl.reason, 'limit')
  const { queued, leased, done, admitted, excluded, dead } = crawl.progress.counts
  assert.ok(queued > 0 && done > 0)
  assert.equal(leased, 0)
  assert.equal(admitted, queued + done + excluded + dead)
})

test('a seed that redirects to another host is followed there, and its links with it', async () => {
  await using web = await startTestWeb({
    hosts: [
      { character: 'polite', name: 'www', pages: 10 },
      { character: 'redirecting', name: 'bare', kinds: ['moved'], target: 'www.test' },
    ],
  })
  const seed = web.seeds.find((url) => url.includes('bare'))!
  await using crawl = await crawlWeb(web, { 'politeness.delayMs': 0 }, [seed])
  assert.equal(crawl.progress.tally.pages, 10)
})

test('hosts at private addresses are refused unless the user named them', async () => {
  await using web = await startTestWeb(wideWeb(3, 4))
  await using crawl = await crawlWeb(web, { 'politeness.delayMs': 0, 'url.scope': 'any', allowPrivate: [] }, [
    web.seeds[0]!,
  ])
  assert.equal(crawl.progress.tally.pages, 4)
  const others = web.requests.filter(({ host }) => host !== web.hosts[0]!.name)
  assert.deepEqual(others, [], 'nothing was sent to the other hosts')
  for (const url of web.seeds.slice(1)) {
    const entry = await crawl.reader.ledger.lookup(url as CanonicalUrl)
    if (entry) assert.equal(entry.reason, 'address-refused')
  }
})

test('links-only crawls find the same pages and keep no text, archive or index', async () => {
  await using web = await startTestWeb(wideWeb(4, 6))
  const lean = { 'store.archive': false, 'worker.index': false, 'worker.text': false }
  await using crawl = await crawlWeb(web, { 'politeness.delayMs': 0, ...lean })
  assert.equal(crawl.progress.tally.pages, 24)
  for await (const { text, warc } of crawl.reader.records.scan()) assert.deepEqual([text, warc], ['', null])
  assert.deepEqual(await crawl.reader.index.search('site:test', 10), [])
})
