import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalUrl } from './canonical.ts'
import { naiveCrawl } from './naive-crawl.ts'
import { demoWeb, smallWeb } from './presets.ts'
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
