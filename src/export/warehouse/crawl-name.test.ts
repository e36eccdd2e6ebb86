import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkCrawlName, ownName } from './crawl-name.ts'

test('a crawl is named after its first seed and its start', () => {
  const start = '2025-01-31T12:00:00.123Z'
  assert.equal(ownName(['https://example.com:8080/a', 'https://b.com/'], start), 'example.com-20250131T120000123Z')
  assert.equal(ownName(['https://bücher.example/'], start), 'xn--bcher-kva.example-20250131T120000123Z')
  assert.equal(ownName(['http://[::1]:80/'], start), '1-20250131T120000123Z')
  assert.equal(ownName(['no url'], start), 'crawl-20250131T120000123Z')
  assert.equal(ownName([`https://${'a.'.repeat(100)}com/`], start).length, 80)
})

test('a name that would need escaping in a path is refused', () => {
  checkCrawlName('Daily_1.2-x')
  for (const name of ['', 'a/b', '..', '.hidden', '_x', 'a b', 'crawl=1', 'é', '%41', 'a'.repeat(101)])
    assert.throws(() => checkCrawlName(name), /cannot name a crawl/, name)
})
