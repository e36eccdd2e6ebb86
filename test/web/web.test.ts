import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalUrl } from './canonical.ts'
import { get } from './get.ts'
import { naiveCrawl } from './naive-crawl.ts'
import { demoWeb, smallWeb, wideWeb } from './presets.ts'
import { startTestWeb } from './web.ts'

for (const [name, preset] of Object.entries({ smallWeb, demoWeb }))
  test(`every page that ${name} expects can be reached from the seeds, and reads as expected`, async () => {
    await using web = await startTestWeb(preset)
    const expected = web.expected()
    const crawled = await naiveCrawl(web, expected)
    for (const [url, page] of expected.pages) {
      const got = crawled.get(url)
      assert.ok(got, `${url} was not reached`)
      assert.equal(got.status, 200, url)
      const text = new TextDecoder(page.charset).decode(got.body)
      assert.ok(text.includes(page.marker) && text.includes(page.title.slice(0, 8)), url)
    }
    const pages = [...crawled].filter(([, got]) => got.status === 200 && got.headers['content-type']?.includes('html'))
    assert.deepEqual(
      pages.map(([url]) => url).filter((url) => !expected.pages.has(url)),
      [],
    )
    for (const [url, to] of expected.redirects) assert.equal(canonicalUrl(crawled.get(url)!.headers.location!, url), to)
  })

test('two thousand hosts start, each listening on its own address', async () => {
  await using web = await startTestWeb(wideWeb(2000, 2))
  assert.equal(new Set(web.hosts.map(({ address }) => address)).size, 2000)
  for (const number of [0, 255, 256, 1999]) assert.equal((await get(web, web.seeds[number]!)).status, 200)
})

test('hosts on one address are told apart by name, over HTTPS too', async () => {
  const hosts = [
    { character: 'polite', count: 2 },
    { character: 'polite', name: 'secure', https: true },
  ] as const
  await using web = await startTestWeb({ hosts, oneAddress: true })
  const titles = new Map([...web.expected().pages].map(([url, { title }]) => [url, title]))
  for (const url of web.seeds) assert.ok((await get(web, url)).body.toString().includes(titles.get(url)!))
  assert.deepEqual(new Set(web.hosts.map(({ address }) => address)), new Set(['127.0.0.1']))
})

test('every request is logged with what the server saw', async () => {
  await using web = await startTestWeb({ hosts: [{ character: 'polite', count: 2, pages: 1 }] })
  await get(web, `${web.seeds[0]}robots.txt`)
  await get(web, `${web.seeds[0]}?utm_source=x`, { 'user-agent': 'tester/1' })
  await get(web, `${web.seeds[1]}missing`)
  const [robots, page] = web.log('polite-1.test')
  assert.equal(web.requests.length, 3)
  assert.deepEqual(
    [page!.method, page!.target, page!.userAgent, page!.status],
    ['GET', '/?utm_source=x', 'tester/1', 200],
  )
  assert.equal(web.minGapMs('polite-1.test'), page!.atMs - robots!.atMs)
  assert.equal(web.minGapMs('polite-1.test', { withoutRobots: true }), Number.POSITIVE_INFINITY)
  const fetched = web.fetchCounts(({ status }) => status === 200)
  assert.deepEqual(
    [...fetched],
    [
      [`${web.seeds[0]}robots.txt`, 1],
      [web.seeds[0], 1],
    ],
  )
  assert.deepEqual(
    web.robotsViolations().map(({ entry }) => entry.host),
    ['polite-2.test'],
  )
})
