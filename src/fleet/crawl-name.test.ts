import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCrawlName } from './crawl-name.ts'

test('a crawl is named after its first host and its start, and the name stands in keys, topics and folders', () => {
  const at = new Date('2026-11-15T16:02:58.123Z')
  assert.equal(newCrawlName(['https://Example.com/a', 'x'], at), 'example.com-20261115t160258z')
  assert.equal(newCrawlName(['example.org'], at), 'example.org-20261115t160258z')
  assert.equal(newCrawlName(['http://[::1]:8080/'], at), 'crawl-20261115t160258z')
  assert.equal(newCrawlName([], at), 'crawl-20261115t160258z')
  assert.ok(newCrawlName([`https://${'a'.repeat(60)}.example/`], at).length <= 64)
})
