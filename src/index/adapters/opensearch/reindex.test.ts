import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openClient } from '../../../engines/opensearch/client.ts'
import { openFaultProxy } from '../../../engines/opensearch/fault-proxy.fixture.ts'
import {
  hastyClock,
  newCrawl,
  openSearchForTests,
  testConfig,
  testEngine,
} from '../../../engines/opensearch/test-engine.ts'
import { aliasOf, createIndex, currentIndex } from '../../../engines/opensearch/versioned-index.ts'
import { blankRecord } from '../../../store/url-record.fixture.ts'
import type { UrlRecord } from '../../../store/url-record.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { searchDocument } from '../../search-document.ts'
import { pagePlan } from './page-plan.ts'
import { reindexPages } from './reindex.ts'
import { openTestIndex } from './test-index.ts'

const recordOf = (number: number, changes: Partial<UrlRecord> = {}) =>
  blankRecord(`https://a.test/${number}`, { text: 'word', fetchedAt: 1000, ...changes })

/** Records, and what happens while they are read. */
function source(records: readonly UrlRecord[], whileRead: () => Promise<void> = async () => {}) {
  return {
    async *scan() {
      yield* records.slice(0, 1)
      await whileRead()
      yield* records.slice(1)
    },
  }
}

describe('re-index', { skip: openSearchForTests.skip }, () => {
  test('the index is built anew from the records, in place of one with another layout', async () => {
    const engine = testEngine()
    const crawl = newCrawl()
    const alias = aliasOf(engine, crawl, 'pages')
    await createIndex(engine, `${alias}-v0`, { ...pagePlan, version: 0 }, alias)
    const copy = recordOf(3, { duplicateOf: recordOf(1).url })
    const records = [recordOf(1), recordOf(2), copy, recordOf(4, { noindex: true }), recordOf(5, { kind: 'redirect' })]
    assert.equal(await reindexPages(engine, crawl, source(records)), 2)
    const index = await openTestIndex(engine, crawl)
    await index.settled()
    assert.equal((await index.search('word', 10)).length, 2)
    assert.deepEqual(await indexesOf(alias), [(await currentIndex(engine, alias))!.name])
  })

  test('run again and again it leaves one index', async () => {
    const engine = testEngine()
    const crawl = newCrawl()
    const alias = aliasOf(engine, crawl, 'pages')
    for (let i = 0; i < 3; i++) await reindexPages(engine, crawl, source([recordOf(1)]))
    assert.deepEqual(await indexesOf(alias), [`${alias}-v1-4`])
  })

  test('pages that the crawl stores, changes and removes meanwhile are as the crawl left them', async () => {
    const engine = testEngine()
    const crawl = newCrawl()
    const index = await openTestIndex(engine, crawl)
    const now = engine.clock.now()
    const stored = [1, 2, 3].map((number) => recordOf(number))
    for (const record of stored) await index.put(searchDocument(record))
    await index.flush()
    const latest = new Map<CanonicalUrl, UrlRecord>(stored.map((record) => [record.url, record]))
    const changed = recordOf(2, { text: 'changed', fetchedAt: now })
    const added = recordOf(9, { text: 'added', fetchedAt: now })
    const records = {
      scan: source(stored, async () => {
        for (const record of [changed, added]) {
          latest.set(record.url, record)
          await index.put(searchDocument(record))
        }
        const gone = recordOf(3, { noindex: true, fetchedAt: now })
        latest.set(gone.url, gone)
        await index.remove(gone.url, now)
        await index.flush()
      }).scan,
      async *since(fetchedAt: number) {
        for (const record of latest.values()) if (record.fetchedAt >= fetchedAt) yield record
      },
    }
    await reindexPages(engine, crawl, records)
    await index.put(searchDocument(recordOf(10, { text: 'after', fetchedAt: now })))
    await index.settled()
    const found = async (word: string) => (await index.search(word, 10)).map(({ url }) => url.slice(-2))
    assert.deepEqual(await found('word'), ['/1'])
    assert.deepEqual(await found('changed'), ['/2'])
    assert.deepEqual(await found('added'), ['/9'])
    assert.deepEqual(await found('after'), ['10'])
  })

  test('stopped in the middle it leaves the old index in place, and the next run clears up after it', async () => {
    const engine = testEngine()
    const crawl = newCrawl()
    const alias = aliasOf(engine, crawl, 'pages')
    const index = await openTestIndex(engine, crawl)
    await index.put(searchDocument(recordOf(1)))
    await index.settled()
    const killed = source([recordOf(1), recordOf(2)], async () => {
      throw new Error('killed')
    })
    await assert.rejects(reindexPages(engine, crawl, killed), /killed/)
    assert.equal((await index.search('word', 10)).length, 1)
    assert.equal((await indexesOf(alias)).length, 2)
    await reindexPages(engine, crawl, source([recordOf(1), recordOf(2)]))
    await index.settled()
    assert.equal((await index.search('word', 10)).length, 2)
    assert.equal((await indexesOf(alias)).length, 1)
  })

  test('answers that are lost on the way change nothing', async () => {
    await using proxy = await openFaultProxy(openSearchForTests.url!)
    await using engine = openClient(testConfig({ urls: [proxy.url] }), hastyClock())
    const crawl = newCrawl()
    await openTestIndex(engine, crawl)
    let requests = 0
    proxy.fault = () => (requests++ % 2 ? undefined : 'lost')
    assert.equal(await reindexPages(engine, crawl, source([recordOf(1), recordOf(2)])), 2)
    const index = await openTestIndex(engine, crawl)
    await index.settled()
    assert.equal((await index.search('word', 10)).length, 2)
  })
})

async function indexesOf(alias: string): Promise<string[]> {
  const { body } = await testEngine().ask<object>({ method: 'GET', path: `/${alias}-v*/_alias` })
  return Object.keys(body)
}
