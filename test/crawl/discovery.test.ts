import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig, type Tree } from '../../src/config/load.ts'
import { lifeOf } from '../../src/orchestrator/url-life.ts'
import type { CanonicalUrl } from '../../src/url/keys.ts'
import { startTestWeb } from '../web/web.ts'
import { crawlWeb } from './crawl-of-web.ts'
import { differences } from './expectation.ts'

const quick = { 'politeness.delayMs': 0, 'fetch.retryDelaysMs': [10] }

test('pages that only sitemaps and feeds name are found, by every form of them', async () => {
  await using web = await startTestWeb({ hosts: [{ character: 'listed', pages: 4 }] })
  await using crawl = await crawlWeb(web, quick)
  assert.deepEqual(await differences(crawl.reader, web.expected()), [])
  assert.deepEqual(web.robotsViolations(), [])
  assert.deepEqual(crawl.progress.tally.found, { sitemap: 6, feed: 3 })
  const map = `${web.hosts[0]!.origin}/maps/plain.xml` as CanonicalUrl
  const record = await crawl.reader.records.get(map)
  assert.deepEqual([record?.kind, record?.text], ['other', ''])
  assert.equal((await crawl.reader.records.visits(map))[0]?.detail, 'sitemap: 1 URLs')
  const entry = await crawl.reader.ledger.lookup(`${web.hosts[0]!.origin}/listed/xml` as CanonicalUrl)
  assert.deepEqual([entry?.parent, entry?.band, entry?.depth], [map, 'medium', 1])
  const { config } = loadConfig({ base: crawl.folder.orders.config as Tree })
  const life = await lifeOf(crawl.reader, config, `${web.hosts[0]!.origin}/listed/xml` as CanonicalUrl)
  assert.equal(life.events[0]?.detail, `in the sitemap ${map}, depth 1, priority medium`)
})

test('the usual place of a sitemap is asked where robots.txt names none, once, and only on the hosts of the seeds', async () => {
  await using web = await startTestWeb({
    hosts: [
      { character: 'polite', name: 'good', count: 2, pages: 3 },
      { character: 'listed', name: 'listed', pages: 1, kinds: ['xml'] },
    ],
  })
  const seeds = web.seeds.filter((url) => !url.includes('good-2'))
  await using crawl = await crawlWeb(
    web,
    { ...quick, 'discovery.usualPlaces': ['/sitemap.xml'], 'url.scope': 'any' },
    seeds,
  )
  assert.equal(crawl.reason, 'finished')
  const asked = web.requests.filter(({ target }) => target === '/sitemap.xml').map(({ host }) => host)
  assert.deepEqual(asked, ['good-1.test'])
})

test('sitemaps can be left alone, and are when only the seeds are wanted', async () => {
  await using web = await startTestWeb({ hosts: [{ character: 'listed', pages: 1, kinds: ['xml', 'link'] }] })
  for (const settings of [{ 'discovery.sitemaps': false }, { 'limits.maxDepth': 0 }]) {
    await using crawl = await crawlWeb(web, { ...quick, ...settings })
    assert.equal(crawl.progress.tally.pages, 1)
  }
  assert.deepEqual(
    web.requests.filter(({ target }) => target.startsWith('/maps/')),
    [],
  )
})
