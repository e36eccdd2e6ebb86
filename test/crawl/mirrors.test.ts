import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestWeb } from '../web/web.ts'
import { crawlWeb } from './crawl-of-web.ts'

test('a mirror is left alone once it is known as one, by a rule that names the original, and no content is lost', async () => {
  await using web = await startTestWeb({ hosts: [{ character: 'mirrors', name: 'mirror', count: 2, pages: 100 }] })
  await using crawl = await crawlWeb(web, { 'politeness.delayMs': 0, 'discovery.mirrorPages': 10 })
  assert.equal(crawl.reason, 'finished')
  const contents = new Set<string>()
  for await (const { kind, contentHash } of crawl.reader.records.scan()) if (kind === 'page') contents.add(contentHash)
  assert.equal(contents.size, 100)
  const refused = new Map<string, Set<string>>()
  for await (const { url, reason } of crawl.reader.ledger.urls('excluded')) {
    const { origin } = new URL(url)
    refused.set(origin, (refused.get(origin) ?? new Set()).add(reason ?? ''))
  }
  const [one, other] = web.hosts.map(({ origin }) => origin)
  const [[mirror, reasons] = ['', new Set()]] = [...refused]
  assert.equal(refused.size, 1, 'one of the two is the mirror')
  assert.deepEqual([...reasons], [`mirror: of ${mirror === one ? other : one}`])
  assert.ok(crawl.progress.tally.pages < 190, `${crawl.progress.tally.pages} of 200 pages were visited`)
})
