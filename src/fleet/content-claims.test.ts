import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../clock.ts'
import { somePrefix, testRedises } from '../engines/redis/test-redis.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { UrlRecord } from '../store/url-record.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { claimingContents } from './content-claims.ts'

const [a, b] = ['http://a.test/', 'http://b.test/'] as CanonicalUrl[]
const hash = 'f'.repeat(64)

/** One page with the content is stored, or none. */
function recordsWith(stored?: Pick<UrlRecord, 'url' | 'duplicateOf'>): RecordStore {
  return {
    put: async () => {},
    get: async (url) => (url === stored?.url ? (stored as UrlRecord) : undefined),
    visits: async () => [],
    async *scan() {},
    findByContent: async () => stored?.url,
    async [Symbol.asyncDispose]() {},
  }
}

for (const { name, skip, connect } of testRedises) {
  test(`${name}: of several workers that store the same content at once the first is the original for all`, {
    skip,
  }, async (t) => {
    const options = { client: await connect(t), prefix: somePrefix(), crawl: 'c', clock: systemClock() }
    const workers = [1, 2].map(() => claimingContents(recordsWith(), options))
    assert.equal(await workers[0]!.findByContent(hash, a), undefined)
    assert.equal(await workers[1]!.findByContent(hash, b), a)
    assert.equal(await workers[1]!.findByContent(hash, a), a, 'asked again it is still its own')
  })

  test(`${name}: a page that others were stored as copies of does not become a copy of them`, { skip }, async (t) => {
    const options = { client: await connect(t), prefix: somePrefix(), crawl: 'c', clock: systemClock() }
    const records = claimingContents(recordsWith({ url: b!, duplicateOf: a! }), options)
    assert.equal(await records.findByContent(hash, a), undefined)
    assert.equal(await records.findByContent(hash, 'http://c.test/' as CanonicalUrl), b)
  })
}
