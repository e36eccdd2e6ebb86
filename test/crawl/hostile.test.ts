import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig, type Tree } from '../../src/config/load.ts'
import { lifeOf } from '../../src/orchestrator/url-life.ts'
import type { CanonicalUrl } from '../../src/url/keys.ts'
import { startTestWeb } from '../web/web.ts'
import { crawlWeb } from './crawl-of-web.ts'

const quick = {
  'politeness.delayMs': 0,
  'fetch.retryDelaysMs': [10],
  'politeness.circuit': { failures: 50, holdMs: 10 },
}
const brief = Object.fromEntries(
  ['connectTimeoutMs', 'firstByteTimeoutMs', 'bodyTimeoutMs', 'totalTimeoutMs'].map((name) => [`fetch.${name}`, 400]),
)

test('servers that hold on for ever cost their limits, are named for what they did, and hold up nobody else', async () => {
  await using web = await startTestWeb({
    hosts: [
      {
        character: 'hostile',
        name: 'hostile',
        pages: 2,
        kinds: ['slow-drip', 'slow-headers', 'never-answers', 'endless-body'],
      },
      { character: 'unreachable', name: 'nowhere', count: 2, kinds: ['silent', 'private'] },
      { character: 'polite', name: 'good', pages: 20 },
    ],
  })
  const seeds = web.seeds
  const named = web.hosts.map(({ name }) => name).filter((name) => name !== 'nowhere-2.test')
  await using crawl = await crawlWeb(
    web,
    {
      ...quick,
      ...brief,
      allowPrivate: named,
      'dns.queryTimeoutMs': 200,
      'dns.tries': 1,
      'politeness.robots': { retryMs: [10], retryLaterMs: 300_000 },
      'fetch.maxBodyBytes': 2_000_000,
    },
    seeds.filter((url) => !url.includes('nowhere-2')).concat(seeds.filter((url) => url.includes('nowhere-2'))),
  )
  const outcome = async (url: string) => {
    const entry = await crawl.reader.ledger.lookup(url as CanonicalUrl)
    return entry?.reason ?? (await crawl.reader.records.get(url as CanonicalUrl))?.kind
  }
  const at = (name: string) => [...web.expected().hostile.keys()].find((url) => url.endsWith(name))!
  assert.equal(crawl.reason, 'finished')
  assert.equal(await outcome(at('slow-drip')), 'total-timeout')
  assert.equal(await outcome(at('slow-headers')), 'first-byte-timeout')
  assert.equal(await outcome(at('never-answers')), 'first-byte-timeout')
  assert.equal(await outcome(at('endless-body')), 'page', 'cut at its limit and kept')
  assert.equal(await outcome(seeds.find((url) => url.includes('nowhere-1'))!), 'dns-failed')
  let good = 0
  for await (const { url } of crawl.reader.records.scan()) if (url.includes('good')) good++
  assert.equal(good, 20)
})

test('a trap that no rule knows is served last: good hosts get nearly all visits', async () => {
  await using web = await startTestWeb({
    hosts: [
      { character: 'traps', name: 'trap', pages: 2, kinds: ['facets'] },
      { character: 'polite', name: 'good', count: 3, pages: 120 },
    ],
  })
  await using crawl = await crawlWeb(web, {
    ...quick,
    'worker.concurrency': 1,
    'worker.hostsAtOnce': 1,
    'limits.maxPages': 450,
  })
  const visits = { good: 0, trap: 0 }
  for await (const { url } of crawl.reader.records.scan()) visits[url.includes('good') ? 'good' : 'trap']++
  assert.equal(visits.good, 360, `all pages of the good hosts, beside ${visits.trap} of the trap`)
  const trap = (await crawl.reader.ledger.hosts(10)).find(({ host }) => host.startsWith('trap'))
  assert.equal(trap?.sunk, true)
  const { config } = loadConfig({ base: crawl.folder.orders.config as Tree })
  for await (const { url } of crawl.reader.ledger.urls('queued', 1)) {
    const { events } = await lifeOf(crawl.reader, config, url)
    assert.match(events.at(-1)?.detail ?? '', /^near-duplicates: /, `why ${url}`)
  }
})

test('a page with a hundred thousand links gives as many as its limit allows', async () => {
  await using web = await startTestWeb({
    hosts: [{ character: 'hostile', name: 'crowd', pages: 1, kinds: ['many-distinct-links'] }],
  })
  await using crawl = await crawlWeb(web, { ...quick, 'parse.maxLinks': 200, 'limits.maxPages': 2 })
  assert.ok(crawl.progress.counts.admitted < 210, `${crawl.progress.counts.admitted} admitted`)
})
