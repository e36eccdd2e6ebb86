import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type OpenSearch, openClient } from '../../../engines/opensearch/client.ts'
import { openFaultProxy } from '../../../engines/opensearch/fault-proxy.fixture.ts'
import {
  hastyClock,
  newCrawl,
  openSearchForTests,
  testConfig,
  testEngine,
} from '../../../engines/opensearch/test-engine.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { recordStoreConformance, recordsOf } from '../../record-store.conformance.ts'
import { blankRecord } from '../../url-record.fixture.ts'
import type { VisitEntry } from '../../url-record.ts'
import { openSearchRecords } from './opensearch-records.ts'

const { skip } = openSearchForTests
const HASH = 'ab'.repeat(32)

recordStoreConformance(
  'opensearch',
  () => {
    const crawl = newCrawl()
    return async () => openSearchRecords(testEngine(), crawl)
  },
  skip,
)

describe('what several workers and faults do to records in OpenSearch', { skip }, () => {
  test('what one has put is seen by it at once, and by others after the flush', async () => {
    const [one, other] = await twoWorkers()
    await one.put(urlOf(1), visitAt(1), pageAt(1, { contentHash: HASH }))
    assert.equal((await one.get(urlOf(1)))?.url, urlOf(1))
    assert.equal(await one.findByContent(HASH), urlOf(1))
    assert.equal(await other.get(urlOf(1)), undefined)
    await one.flush()
    assert.equal((await other.get(urlOf(1)))?.url, urlOf(1))
    assert.equal(await other.findByContent(HASH), urlOf(1))
    assert.deepEqual(await other.visits(urlOf(1)), [visitAt(1)])
  })

  test('a page that is taken back is as if no visit had brought it, until another does; its visits are remembered', async () => {
    const [one, other] = await twoWorkers()
    await one.put(urlOf(1), visitAt(1), pageAt(1, { contentHash: HASH }))
    await one.put(urlOf(2), visitAt(2), pageAt(2, { kind: 'other' }))
    await one.put(urlOf(3), visitAt(3), pageAt(3))
    await one.flush()
    assert.equal(await other.countPages(), 2)
    const { pages, originals } = await other.takeBackPages([urlOf(1), urlOf(2), urlOf(9)], async (page) => {
      assert.equal((await one.get(page.url))?.title, page.title, 'it is still there')
    })
    assert.deepEqual([pages.map(({ url }) => url), originals], [[urlOf(1)], []])
    assert.equal(await other.countPages(), 1)
    assert.equal(await one.get(urlOf(1)), undefined)
    assert.equal(await one.findByContent(HASH), undefined)
    assert.deepEqual(await recordsOf(one).then((all) => all.map(({ url }) => url)), [urlOf(2), urlOf(3)])
    assert.deepEqual(await one.visits(urlOf(1)), [visitAt(1)])
    await one.put(urlOf(1), visitAt(5), pageAt(1, { title: 'again' }))
    await one.flush()
    assert.equal((await other.get(urlOf(1)))?.title, 'again')
    assert.equal(await other.countPages(), 2)
  })

  test('when an original is taken back its first copy takes its place, also when that one goes next', async () => {
    const [one] = await twoWorkers()
    const copy = (n: number, of: CanonicalUrl | null) => pageAt(n, { contentHash: HASH, duplicateOf: of })
    await one.put(urlOf(1), visitAt(1), copy(1, null))
    for (const n of [2, 3, 4]) await one.put(urlOf(n), visitAt(n), copy(n, urlOf(1)))
    await one.flush()
    await one.countPages()
    const { pages, originals } = await one.takeBackPages([urlOf(1), urlOf(2)], async () => {})
    assert.deepEqual(
      [pages, originals].map((all) => all.map(({ url }) => url)),
      [[urlOf(1), urlOf(2)], [urlOf(3)]],
    )
    assert.equal((await one.get(urlOf(3)))?.duplicateOf, null)
    assert.equal((await one.get(urlOf(4)))?.duplicateOf, urlOf(3))
    assert.equal(await one.findByContent(HASH), urlOf(3))
  })

  test('several may take back the same pages at once', async () => {
    const takers = await twoWorkers()
    const urls = Array.from({ length: 20 }, (_, n) => urlOf(n))
    for (const [n, url] of urls.entries()) await takers[0]!.put(url, visitAt(n), pageAt(n))
    await takers[0]!.flush()
    const told = new Set<CanonicalUrl>()
    await Promise.all(takers.map((taker) => taker.takeBackPages(urls, async ({ url }) => void told.add(url))))
    assert.equal(told.size, urls.length)
    assert.equal(await takers[1]!.countPages(), 0)
  })

  test('an older visit that arrives late joins the history and does not replace the newer record', async () => {
    const [one, other] = await twoWorkers()
    await one.put(urlOf(1), visitAt(5), pageAt(1, { title: 'new' }))
    await one.flush()
    await other.put(urlOf(1), visitAt(3), pageAt(1, { title: 'late' }))
    assert.equal((await other.get(urlOf(1)))?.title, 'new')
    await other.flush()
    assert.equal((await one.get(urlOf(1)))?.title, 'new')
    assert.deepEqual(await one.visits(urlOf(1)), [visitAt(3), visitAt(5)])
  })

  test('two workers that write to one URL at the same moment lose no visit', async () => {
    const [one, other] = await twoWorkers()
    for (let round = 0; round < 10; round++) {
      await Promise.all([one.put(urlOf(1), visitAt(2 * round)), other.put(urlOf(1), visitAt(2 * round + 1))])
      await Promise.all([one.flush(), other.flush()])
    }
    assert.deepEqual(
      (await one.visits(urlOf(1))).map(({ at }) => at),
      Array.from({ length: 20 }, (_, i) => i),
    )
  })

  test('of two pages with one content, stored by two workers, both find the same', async () => {
    const [one, other] = await twoWorkers()
    await Promise.all([
      one.put(urlOf(1), visitAt(1), pageAt(1, { contentHash: HASH })),
      other.put(urlOf(2), visitAt(1), pageAt(2, { contentHash: HASH })),
    ])
    await Promise.all([one.flush(), other.flush()])
    assert.equal(await one.findByContent(HASH), await other.findByContent(HASH))
  })

  test('when the first page with a content has changed, the next one that has it takes its place', async () => {
    const [one, other] = await twoWorkers()
    await one.put(urlOf(1), visitAt(1), pageAt(1, { contentHash: HASH }))
    await one.put(urlOf(2), visitAt(1), pageAt(2, { contentHash: HASH }))
    await one.put(urlOf(1), visitAt(2), pageAt(1, { contentHash: 'cd'.repeat(32) }))
    await one.flush()
    assert.equal(await other.findByContent(HASH), urlOf(2))
    await other.flush()
    assert.equal(await one.findByContent(HASH), urlOf(2))
  })

  test('many puts are one request', async () => {
    await using stage = await faultyStage()
    const before = stage.proxy.seen.length
    for (let i = 0; i < 300; i++) await stage.records.put(urlOf(i), visitAt(1), pageAt(i))
    await stage.records.flush()
    assert.equal(stage.proxy.seen.length - before, 1)
  })

  test('questions of the same moment are one request', async () => {
    await using stage = await faultyStage()
    const before = stage.proxy.seen.length
    await Promise.all(Array.from({ length: 50 }, (_, i) => stage.records.get(urlOf(i))))
    assert.equal(stage.proxy.seen.length - before, 1)
  })

  test('records survive answers that are lost, cut connections and a busy engine, each of them once', async () => {
    await using stage = await faultyStage()
    let requests = 0
    stage.proxy.fault = () => (['lost', 'cut', { status: 429, body: {} }, undefined] as const)[requests++ % 4]
    for (let i = 0; i < 100; i++) {
      await stage.records.put(urlOf(i), visitAt(1), pageAt(i, { contentHash: HASH }))
      if (i % 20 === 19) await stage.records.flush()
    }
    assert.equal(await stage.records.findByContent(HASH), urlOf(0))
    assert.deepEqual(
      (await recordsOf(stage.records)).map(({ url }) => url),
      Array.from({ length: 100 }, (_, i) => urlOf(i)),
    )
    for (const i of [0, 57, 99]) assert.deepEqual(await stage.records.visits(urlOf(i)), [visitAt(1)])
  })

  test('since brings the records fetched from a moment on', async () => {
    const [one, other] = await twoWorkers()
    for (const i of [1, 2, 3]) await one.put(urlOf(i), visitAt(i), pageAt(i, { fetchedAt: i * 1000 }))
    await one.flush()
    assert.deepEqual(
      (await Array.fromAsync(other.since(2000))).map(({ url }) => url),
      [urlOf(2), urlOf(3)],
    )
  })

  test('no record is refused, whatever a page or server says', async () => {
    const [one, other] = await twoWorkers()
    const nasty = ['\ud800', '\udc00x\ud800', '\0\u0001\u2028\ufeff', '"\\\n}', 'x'.repeat(70_000)]
    for (const [i, text] of nasty.entries()) {
      const visit = { ...visitAt(1), status: i % 2 ? 999_999 : null, detail: text }
      await one.put(urlOf(i), visit, pageAt(i, { title: text, lang: text, text, links: [text] }))
    }
    await one.flush()
    const [i, text] = [4, nasty[4]!]
    assert.deepEqual(await other.get(urlOf(i)), pageAt(i, { title: text, lang: text, text, links: [text] }))
    assert.equal((await recordsOf(other)).length, nasty.length)
  })

  test('crawls do not see each other', async () => {
    const one = await openSearchRecords(testEngine(), newCrawl())
    const other = await openSearchRecords(testEngine(), newCrawl())
    await one.put(urlOf(1), visitAt(1), pageAt(1, { contentHash: HASH }))
    await one.flush()
    assert.equal(await other.get(urlOf(1)), undefined)
    assert.equal(await other.findByContent(HASH), undefined)
    assert.deepEqual(await recordsOf(other), [])
  })

  test('several workers may open a new crawl at the same moment, whatever it is called', async () => {
    const crawl = `Ünnamed / ${newCrawl()}*`
    const opened = await Promise.all([1, 2, 3].map(() => openSearchRecords(testEngine(), crawl)))
    await opened[0]!.put(urlOf(1), visitAt(1), pageAt(1))
    await opened[0]!.flush()
    assert.equal((await opened[2]!.get(urlOf(1)))?.url, urlOf(1))
  })
})

async function twoWorkers() {
  const crawl = newCrawl()
  return [await openSearchRecords(testEngine(), crawl), await openSearchRecords(testEngine(), crawl)] as const
}

async function faultyStage() {
  await using stack = new AsyncDisposableStack()
  const proxy = stack.use(await openFaultProxy(openSearchForTests.url!))
  const engine: OpenSearch = stack.use(openClient(testConfig({ urls: [proxy.url] }), hastyClock()))
  const records = await openSearchRecords(engine, newCrawl())
  const opened = stack.move()
  return { proxy, records, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

function urlOf(number: number): CanonicalUrl {
  return `https://a.test/${number}` as CanonicalUrl
}

function visitAt(at: number): VisitEntry {
  return { at, kind: 'page', status: 200, durationMs: 1, bytes: 1, detail: '' }
}

function pageAt(number: number, changes = {}) {
  return blankRecord(urlOf(number), changes)
}
