import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import type { CanonicalUrl } from '../url/keys.ts'
import { type DueVisit, maxVisits, type RecordStore } from './record-store.ts'
import { blankRecord } from './url-record.fixture.ts'
import type { UrlRecord, VisitEntry } from './url-record.ts'

/** Makes an empty place for one test; the answer opens the store there, as often as asked. */
export type RecordStorePlace = (test: TestContext) => () => Promise<RecordStore>

/** What every record store promises: straight, and with the store closed and opened again between act and check. */
export function recordStoreConformance(name: string, place: RecordStorePlace, skip: string | false = false): void {
  for (const reopen of [false, true])
    describe(`${name}: record store${reopen ? ', closed and opened again' : ''}`, { skip }, () => suite(place, reopen))
}

function suite(place: RecordStorePlace, reopen: boolean): void {
  async function after(t: TestContext, act: (store: RecordStore) => Promise<void>): Promise<RecordStore> {
    const open = place(t)
    const store = await open()
    await act(store)
    if (!reopen) return store
    await store[Symbol.asyncDispose]()
    return open()
  }

  test('a stored record is read back as it was', async (t) => {
    const store = await after(t, (store) => store.put(A, visitAt(1), fullRecord(A)))
    assert.deepEqual(await store.get(A), fullRecord(A))
  })

  test('a URL that was never visited has no record and no visits', async (t) => {
    const store = await after(t, (store) => store.put(A, visitAt(1), recordOf(A)))
    assert.equal(await store.get(B), undefined)
    assert.deepEqual(await store.visits(B), [])
  })

  test('a failed attempt is a visit without a record', async (t) => {
    const store = await after(t, (store) => store.put(A, failureAt(1)))
    assert.equal(await store.get(A), undefined)
    assert.deepEqual(await store.visits(A), [failureAt(1)])
    assert.deepEqual(await recordsOf(store), [])
  })

  test('a failed attempt leaves an earlier record as it is', async (t) => {
    const store = await after(t, async (store) => {
      await store.put(A, visitAt(1), recordOf(A))
      await store.put(A, failureAt(2))
    })
    assert.deepEqual(await store.get(A), recordOf(A))
  })

  test('a later answer replaces the record and adds to the visits', async (t) => {
    const store = await after(t, async (store) => {
      await store.put(A, visitAt(1), recordOf(A, { title: 'old' }))
      await store.put(A, visitAt(2), recordOf(A, { title: 'new' }))
    })
    assert.equal((await store.get(A))?.title, 'new')
    assert.deepEqual(await store.visits(A), [visitAt(1), visitAt(2)])
  })

  test('visits are answered oldest first, whatever order they came in', async (t) => {
    const store = await after(t, async (store) => {
      for (const at of [3, 1, 2]) await store.put(A, failureAt(at))
    })
    assert.deepEqual(await store.visits(A), [1, 2, 3].map(failureAt))
  })

  test('a visit told twice is one visit', async (t) => {
    const store = await after(t, async (store) => {
      await store.put(A, visitAt(1), recordOf(A))
      await store.put(A, visitAt(1), recordOf(A))
    })
    assert.deepEqual(await store.visits(A), [visitAt(1)])
    assert.equal((await recordsOf(store)).length, 1)
  })

  test('an old visit told again does not bring back its record', async (t) => {
    const store = await after(t, async (store) => {
      await store.put(A, visitAt(1), recordOf(A, { title: 'old' }))
      await store.put(A, visitAt(2), recordOf(A, { title: 'new' }))
    })
    await store.put(A, visitAt(1), recordOf(A, { title: 'old' }))
    assert.equal((await store.get(A))?.title, 'new')
  })

  test('a history has an end: the oldest visits go, and bring nothing back when told again', async (t) => {
    const store = await after(t, async (store) => {
      for (let at = 0; at < maxVisits + 10; at++) await store.put(A, visitAt(at), recordOf(A, { title: `at ${at}` }))
    })
    await store.put(A, visitAt(3), recordOf(A, { title: 'old' }))
    const visits = await store.visits(A)
    assert.deepEqual([visits.length, visits[0]?.at, visits.at(-1)?.at], [maxVisits, 10, maxVisits + 9])
    assert.equal((await store.get(A))?.title, `at ${maxVisits + 9}`)
  })

  test('visits of two URLs at the same moment stay apart', async (t) => {
    const store = await after(t, async (store) => {
      await store.put(A, visitAt(1), recordOf(A))
      await store.put(B, failureAt(1))
    })
    assert.deepEqual([await store.visits(A), await store.visits(B)], [[visitAt(1)], [failureAt(1)]])
  })

  test('a scan goes in the order of first storing, also for a URL that failed first or was stored again', async (t) => {
    const store = await after(t, async (store) => {
      await store.put(A, failureAt(1))
      await store.put(B, visitAt(2), recordOf(B))
      await store.put(A, visitAt(3), recordOf(A))
      await store.put(B, visitAt(4), recordOf(B))
    })
    assert.deepEqual(
      (await recordsOf(store)).map(({ url }) => url),
      [B, A],
    )
    assert.deepEqual(await store.visits(A), [failureAt(1), visitAt(3)])
  })

  test('a scan brings every record once, while another scan and new records interleave', async (t) => {
    const urls = Array.from({ length: 300 }, (_, i) => `https://many.test/${i}` as CanonicalUrl)
    const store = await after(t, async (store) => {
      for (const url of urls) await store.put(url, visitAt(1), recordOf(url))
    })
    const seen: string[] = []
    for await (const { url } of store.scan()) {
      seen.push(url)
      if (seen.length !== 100) continue
      await store.put(B, visitAt(1), recordOf(B))
      assert.ok((await recordsOf(store)).length >= 300)
    }
    assert.deepEqual(seen.slice(0, 300), urls)
  })

  test('content is found at the first URL that was stored with it', async (t) => {
    const store = await after(t, async (store) => {
      await store.put(B, visitAt(1), recordOf(B, { contentHash: HASH }))
      await store.put(A, visitAt(1), recordOf(A, { contentHash: HASH }))
    })
    assert.equal(await store.findByContent(HASH), B)
  })

  test('content is compared in full, not by its first digits', async (t) => {
    const other = `${HASH.slice(0, 63)}0`
    const store = await after(t, (store) => store.put(A, visitAt(1), recordOf(A, { contentHash: HASH })))
    assert.equal(await store.findByContent(other), undefined)
    await store.put(B, visitAt(1), recordOf(B, { contentHash: other }))
    assert.equal(await store.findByContent(other), B)
  })

  test('content that a URL no longer has is not found there', async (t) => {
    const store = await after(t, async (store) => {
      await store.put(A, visitAt(1), recordOf(A, { contentHash: HASH }))
      await store.put(A, visitAt(2), recordOf(A, { contentHash: 'e'.repeat(64) }))
    })
    assert.equal(await store.findByContent(HASH), undefined)
  })

  test('an error page with the bytes of a page is not what that page is a copy of', async (t) => {
    const store = await after(t, async (store) => {
      await store.put(
        A,
        { ...visitAt(1), kind: 'other', status: 404 },
        { ...recordOf(A), kind: 'other', contentHash: HASH },
      )
      await store.put(B, visitAt(2), { ...recordOf(B), contentHash: HASH })
    })
    assert.equal(await store.findByContent(HASH), B)
  })

  test('records without a body are no duplicates of each other', async (t) => {
    const store = await after(t, (store) => store.put(A, visitAt(1), recordOf(A, { contentHash: '' })))
    assert.equal(await store.findByContent(''), undefined)
  })

  test('what is due is answered in the order of its moments, with what the frontier must know', async (t) => {
    const store = await after(t, async (store) => {
      await store.put(A, visitAt(1), plannedFor(A, 300, { depth: 2, parent: B }))
      await store.put(B, visitAt(1), plannedFor(B, 100))
      await store.put(C, visitAt(1), plannedFor(C, 200))
    })
    assert.deepEqual(await store.due(99, 10), [])
    assert.deepEqual(urlsIn(await store.due(200, 10)), [B, C])
    assert.deepEqual(urlsIn(await store.due(300, 2)), [B, C])
    const [, , last] = await store.due(Number.POSITIVE_INFINITY, 10)
    assert.deepEqual(last, { url: A, dueAt: 300, band: 'medium', depth: 2, parent: B })
  })

  test('records without a next visit, or whose next visit is never, are not due', async (t) => {
    const store = await after(t, async (store) => {
      await store.put(A, visitAt(1), recordOf(A))
      await store.put(B, visitAt(1), plannedFor(B, null))
      await store.put(C, failureAt(1))
    })
    assert.deepEqual(await store.due(Number.POSITIVE_INFINITY, 10), [])
    assert.deepEqual(await store.outlook(1000), { planned: 0, overdue: 0, nextAt: null })
  })

  test('a later record plans anew, a failed attempt does not', async (t) => {
    const store = await after(t, async (store) => {
      for (const url of [A, B, C]) await store.put(url, visitAt(1), plannedFor(url, 100))
      await store.put(A, visitAt(2), plannedFor(A, 500))
      await store.put(B, visitAt(2), plannedFor(B, null))
      await store.put(C, failureAt(2))
    })
    assert.deepEqual(urlsIn(await store.due(499, 10)), [C])
    assert.deepEqual(urlsIn(await store.due(500, 10)), [C, A])
    assert.equal((await store.get(A))?.next?.dueAt, 500)
  })

  test('a visit that was put off is due at its new moment, or never', async (t) => {
    const store = await after(t, async (store) => {
      for (const url of [A, B, C]) await store.put(url, visitAt(1), plannedFor(url, 100))
      const due = await store.due(100, 10)
      await store.putOff(of(due, A), 400)
      await store.putOff(of(due, B), null)
    })
    assert.deepEqual(urlsIn(await store.due(399, 10)), [C])
    assert.deepEqual(urlsIn(await store.due(400, 10)), [C, A])
  })

  test('what a visit has planned since is not put off by who read the plan before', async (t) => {
    const store = await after(t, async (store) => {
      for (const url of [A, B]) await store.put(url, visitAt(1), plannedFor(url, 100))
      const due = await store.due(100, 10)
      for (const url of [A, B]) await store.put(url, visitAt(2), plannedFor(url, 200))
      await store.putOff(of(due, A), 900)
      await store.putOff(of(due, B), null)
    })
    assert.equal((await store.due(200, 10)).length, 2)
  })

  test('what was put off twice was put off once', async (t) => {
    const store = await after(t, async (store) => {
      await store.put(A, visitAt(1), plannedFor(A, 100))
      const due = await store.due(100, 10)
      await store.putOff(due, 400)
      await store.putOff(due, 700)
    })
    assert.deepEqual(urlsIn(await store.due(400, 10)), [A])
  })

  test('the outlook counts what is planned and what is due', async (t) => {
    const store = await after(t, async (store) => {
      for (const [url, at] of [
        [A, 100],
        [B, 200],
        [C, 300],
      ] as const)
        await store.put(url, visitAt(1), plannedFor(url, at))
    })
    // The engine may show what was written some seconds later, unless it is asked for what is due.
    await store.due(0, 1)
    assert.deepEqual(await store.outlook(200), { planned: 3, overdue: 2, nextAt: 100 })
  })

  test('whatever a page says in its title, text and links is read back unchanged', async (t) => {
    const open = place(t)
    await using store = await open()
    let at = 0
    const anyText = fc.string({ unit: 'grapheme', maxLength: 2000 })
    await fc.assert(
      fc.asyncProperty(anyText, anyText, fc.array(fc.webUrl(), { maxLength: 50 }), async (title, text, links) => {
        const record = recordOf(A, { title, text, links })
        await store.put(A, visitAt(++at), record)
        assert.deepEqual(await store.get(A), record)
      }),
      { numRuns: 50 },
    )
  })
}

const A = 'https://a.test/' as CanonicalUrl
const B = 'https://b.test/page?x=1' as CanonicalUrl
const C = 'https://c.test/' as CanonicalUrl
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

function visitAt(at: number): VisitEntry {
  return { at, kind: 'page', status: 200, durationMs: 12, bytes: 3456, detail: '' }
}

function failureAt(at: number): VisitEntry {
  return { at, kind: 'failed', status: null, durationMs: 5000, bytes: 0, detail: 'connect-timeout' }
}

function recordOf(url: CanonicalUrl, changes: Partial<UrlRecord> = {}): UrlRecord {
  return { ...EMPTY, url, finalUrl: url, ...changes }
}

function plannedFor(url: CanonicalUrl, dueAt: number | null, changes: Partial<UrlRecord> = {}): UrlRecord {
  const plan = {
    intervalMs: 50,
    because: 'first',
    timesGone: 0,
    band: 'medium',
    etag: '"1"',
    lastModified: '',
  } as const
  return recordOf(url, { ...changes, next: { dueAt, ...plan } })
}

const urlsIn = (visits: readonly DueVisit[]) => visits.map(({ url }) => url)

const of = (visits: readonly DueVisit[], url: CanonicalUrl) => visits.filter((visit) => visit.url === url)

function fullRecord(url: CanonicalUrl): UrlRecord {
  return recordOf(url, {
    title: 'A title with "quotes", 漢字 and 🕸',
    description: 'What it is about',
    keywords: ['one', 'two, with comma'],
    lang: 'en',
    canonical: 'https://a.test/canonical',
    publishedAt: '2024-05-01T00:00:00Z',
    text: 'A paragraph that repeats itself.\n'.repeat(200),
    links: Array.from({ length: 100 }, (_, i) => `https://a.test/link/${i}`),
    contentHash: HASH,
    simhash: 'fedcba9876543210',
    duplicateOf: B,
    nearDuplicateOf: B,
    depth: 3,
    parent: B,
    fetchedAt: 1_700_000_000_000,
    warc: { file: '2024/05/01/crawl-00001.warc.gz', offset: 5_000_000_000, length: 20_000 },
  })
}

const EMPTY = blankRecord(A)

export async function recordsOf(store: RecordStore): Promise<UrlRecord[]> {
  const records: UrlRecord[] = []
  for await (const record of store.scan()) records.push(record)
  return records
}
