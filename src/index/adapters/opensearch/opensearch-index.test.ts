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
import { aliasOf, createIndex } from '../../../engines/opensearch/versioned-index.ts'
import { type CanonicalUrl, hostOf } from '../../../url/keys.ts'
import { searchIndexConformance } from '../../search-index.conformance.ts'
import type { SearchDocument, SearchIndex } from '../../search-index.ts'
import { openSearchIndex } from './opensearch-index.ts'
import { pagePlan } from './page-plan.ts'
import { openTestIndex } from './test-index.ts'

const { skip } = openSearchForTests

searchIndexConformance(
  'opensearch',
  (_, textOf) => {
    const crawl = newCrawl()
    return () => openTestIndex(testEngine(), crawl, textOf)
  },
  skip,
)

describe('what several workers and faults do to an index in OpenSearch', { skip }, () => {
  test('a late write of a slow worker replaces no newer page and brings back none that was removed', async () => {
    const crawl = newCrawl()
    const [fast, slow] = [await openTestIndex(testEngine(), crawl), await openTestIndex(testEngine(), crawl)]
    await fast.put(page('https://a.test/1', 'new', 2000))
    await fast.remove(urlOf('https://a.test/2'), 2000)
    await fast.flush()
    await slow.put(page('https://a.test/1', 'old', 1000))
    await slow.put(page('https://a.test/2', 'old', 1000))
    await slow.settled()
    assert.deepEqual(await found(fast, 'old'), [])
    assert.deepEqual(await found(fast, 'new'), ['https://a.test/1'])
    await slow.remove(urlOf('https://a.test/1'), 1500)
    await slow.settled()
    assert.deepEqual(await found(fast, 'new'), ['https://a.test/1'])
  })

  test('pages survive answers that are lost, cut connections and a busy engine, each of them once', async () => {
    await using proxy = await openFaultProxy(openSearchForTests.url!)
    await using engine = openClient(testConfig({ urls: [proxy.url] }), hastyClock())
    const index = await openTestIndex(engine, newCrawl())
    let requests = 0
    proxy.fault = () => (['lost', 'cut', { status: 503, body: {} }, undefined] as const)[requests++ % 4]
    for (let i = 0; i < 100; i++) {
      await index.put(page(`https://a.test/${i}`, 'word', i + 1))
      if (i % 25 === 24) await index.flush()
    }
    await index.settled()
    assert.equal(new Set(await found(index, 'word')).size, 100)
    assert.equal((await index.search('word', 1000)).length, 100)
  })

  test('pages of a domain are found and replaced where the index has many shards', async () => {
    await using engine = openClient(testConfig({ shards: 5 }), hastyClock())
    const index = await openTestIndex(engine, newCrawl())
    const hosts = ['a.test', 'www.a.test', 'b.test', 'x.co.uk', 'y.co.uk', '127.0.0.1:8080', 'shop.x.co.uk']
    for (const version of [1, 2])
      for (const host of hosts) await index.put(page(`http://${host}/`, `word v${version}`, version))
    await index.remove(urlOf('http://b.test/'), 3)
    await index.settled()
    assert.deepEqual(await found(index, 'v1'), [])
    assert.equal((await found(index, 'v2')).length, 6)
    assert.deepEqual((await found(index, 'word site:a.test')).sort(), ['http://a.test/', 'http://www.a.test/'])
    assert.equal((await found(index, 'word site:co.uk')).length, 3)
    assert.equal((await found(index, 'word site:x.co.uk')).length, 2)
    assert.deepEqual(await found(index, 'site:127.0.0.1'), ['http://127.0.0.1:8080/'])
  })

  test('an answer goes on beyond what an engine counts', async () => {
    const index = await openTestIndex(testEngine(), newCrawl())
    for (let i = 0; i < 10_050; i++) await index.put({ ...page(`https://a.test/${i}`, '', 1), date: i })
    await index.settled()
    const far = (await index.search('site:a.test', 5, 10_040)).map(({ url }) => url)
    assert.deepEqual(
      far,
      [9, 8, 7, 6, 5].map((i) => `https://a.test/${i}`),
    )
    assert.equal((await index.search('site:a.test', 2000)).length, 2000)
    assert.deepEqual(await index.search('site:a.test', 5, 1e15), [])
  })

  test('a page far down an answer does not turn words into beginnings', async () => {
    const index = await openTestIndex(testEngine(), newCrawl())
    await index.put(page('https://a.test/1', 'lamp', 1))
    await index.put(page('https://a.test/2', 'lamps', 1))
    await index.settled()
    assert.equal((await index.search('lamp', 10)).length, 1)
    assert.equal((await index.search('lamp', 10, 1)).length, 0)
  })

  test('an index of another layout is refused by a sentence that says what to run', async () => {
    const crawl = newCrawl()
    const engine = testEngine()
    const alias = aliasOf(engine, crawl, 'pages')
    await createIndex(engine, `${alias}-v0`, { ...pagePlan, version: 0 }, alias)
    await assert.rejects(openSearchIndex({ engine, crawl, textOf: async () => undefined }), {
      name: 'UsageError',
      message: `The index ${alias} has the layout 0, and layout 1 is needed: run \`orbweaver reindex\`, which builds it anew from the records.`,
    })
  })

  test('the longest queries are within what the engine accepts', async () => {
    const index = await openTestIndex(testEngine(), newCrawl())
    const endings = Array.from({ length: 3000 }, (_, i) => `python入${String.fromCharCode(0x4e00 + i)}`).join(' ')
    await index.put({ ...page('https://a.test/', endings, 1), title: endings, description: endings })
    await index.settled()
    for (const query of [
      '東京'.repeat(600),
      'a-'.repeat(600),
      'Python入 '.repeat(32),
      'w* '.repeat(32),
      '-a '.repeat(32),
    ])
      assert.ok((await index.search(query, 5)).length <= 1)
    assert.equal((await found(index, 'Python入')).length, 1)
    assert.equal((await found(index, '入*')).length, 1)
  })

  test('no page is refused, whatever it says', async () => {
    const index = await openTestIndex(testEngine(), newCrawl())
    const nasty = [
      '\ud800',
      '\udc00x\ud800',
      '\0\u0001\u2028\ufeff',
      '"\\\n}',
      'x'.repeat(70_000),
      '\u{e000}'.repeat(40_000),
    ]
    for (const [i, text] of nasty.entries()) {
      const all = { title: text, description: text, lang: text, date: i % 2 ? -1e15 : 8.64e15 }
      await index.put({ ...page(`https://a.test/${i}`, text, 1), ...all })
    }
    await index.settled()
    assert.equal((await found(index, 'site:a.test')).length, nasty.length)
  })

  test('words longer than any tokenizer likes are found whole and by their beginning', async () => {
    const index = await openTestIndex(testEngine(), newCrawl())
    await index.put(page('https://a.test/1', `${'x'.repeat(900)} end`, 1))
    await index.settled()
    assert.equal((await found(index, 'x'.repeat(900))).length, 1)
    assert.equal((await found(index, `${'x'.repeat(500)}*`)).length, 1)
    assert.equal((await found(index, `${'x'.repeat(900)}-end`)).length, 1)
  })
})

const urlOf = (url: string) => url as CanonicalUrl

function page(url: string, text: string, fetchedAt: number): SearchDocument {
  const blank = { title: '', description: '', lang: 'en', date: 0 }
  return { ...blank, url: urlOf(url), host: hostOf(urlOf(url)), text, fetchedAt }
}

async function found(index: SearchIndex, query: string): Promise<string[]> {
  return (await index.search(query, 100)).map(({ url }) => url)
}
