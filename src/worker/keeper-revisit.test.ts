import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { configSchema } from '../config/schema.ts'
import { openDatabase } from '../embedded/database.ts'
import type { CrawlRequest } from '../frontier/frontier.ts'
import type { SearchIndex } from '../index/search-index.ts'
import { Candidates, candidateRules } from '../reading/candidates.ts'
import { embeddedRecords } from '../store/adapters/embedded/embedded-records.ts'
import { blankRecord } from '../store/url-record.fixture.ts'
import type { UrlRecord } from '../store/url-record.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { makeScope } from '../url/scope.ts'
import { Keeper, type Kept } from './keeper.ts'

const url = 'https://a.example/page' as CanonicalUrl
const hourMs = 3_600_000
const request: CrawlRequest = {
  ...{ url, priority: 'medium', depth: 1, parent: null, discoveredAt: 0, redirects: 0, attempts: 0 },
  isRevisit: true,
}
const headers = [['ETag', '"v1"']] as const
const page = blankRecord(url, { title: 'A', text: 'words', contentHash: 'ab'.repeat(32), fetchedAt: 1000 })

/** A page that was visited at 1000, and all that is asked of archive and index since. */
async function visited() {
  const records = embeddedRecords(openDatabase(':memory:'), (text) => text.length)
  const asked: string[] = []
  const index: Pick<SearchIndex, 'put' | 'remove'> = {
    put: async () => void asked.push('indexed'),
    remove: async () => void asked.push('removed'),
  }
  const config = configSchema.parse({})
  const keeper = new Keeper({
    ...{ records, maxLinks: () => 0, recrawl: { minMs: hourMs, maxMs: 100 * hourMs } },
    index: index as SearchIndex,
    nearDuplicates: { findOrAdd: async (of: CanonicalUrl) => of, [Symbol.asyncDispose]: async () => {} },
    candidates: new Candidates(candidateRules(config, makeScope({ ...config.url, seeds: [url] })), {
      now: () => 0,
    } as never),
    offer: async () => {},
    onSeedMoved: async () => {},
  })
  const answer = (status: number, startedAt: number, record: UrlRecord, more: Partial<Kept> = {}): Kept => ({
    ...{ bodyBytes: 10, location: null, candidates: [], refused: {}, counts: {}, note: '', record },
    exchange: { startedAt, durationMs: 1, status, truncated: null, headers: [...headers] },
    archive: async (original) => {
      asked.push(original ? `archived as ${original.url}` : 'archived')
      return { file: 'a.warc.gz', offset: startedAt, length: 10 }
    },
    ...more,
  })
  await keeper.keep({ ...request, isRevisit: false }, answer(200, 1000, page))
  const previous = (await records.get(url))!
  asked.length = 0
  return { records, keeper, answer, previous, asked }
}

describe('a page that is visited again', () => {
  test('the first visit plans the next, with what the server gave to ask by', async () => {
    const { previous, records } = await visited()
    const { dueAt, intervalMs, because, band, etag } = previous.next!
    assert.deepEqual(
      { dueAt, because, band, etag },
      { dueAt: 1000 + intervalMs, because: 'first', band: 'medium', etag: '"v1"' },
    )
    assert.deepEqual(
      (await records.due(dueAt!, 10)).map((due) => due.url),
      [url],
    )
  })

  test('a 304 keeps all that is known, and is archived as a revisit', async () => {
    const { records, keeper, answer, previous, asked } = await visited()
    const nothing = blankRecord(url, { kind: 'other', status: 304 })
    const { adds } = await keeper.keep(request, answer(304, 9000, nothing, { previous, bodyBytes: 0 }))
    const now = (await records.get(url))!
    assert.deepEqual({ ...now, next: previous.next }, previous)
    assert.equal(now.next!.because, 'unchanged')
    assert.ok(now.next!.intervalMs > previous.next!.intervalMs)
    assert.equal(now.next!.etag, '"v1"')
    assert.deepEqual(asked, [`archived as ${url}`])
    assert.deepEqual(adds, { requests: 1, bytes: 0, revisits: 1, unchanged: 1 })
    assert.deepEqual(
      (await records.visits(url)).map(({ status, detail }) => [status, detail]),
      [
        [200, ''],
        [304, 'not modified'],
      ],
    )
  })

  test('the same bytes again are unchanged too; it counts as a revisit and not as a page', async () => {
    const { records, keeper, answer, previous, asked } = await visited()
    const { adds } = await keeper.keep(request, answer(200, 9000, { ...page, fetchedAt: 9000 }, { previous }))
    assert.equal((await records.get(url))!.next!.because, 'unchanged')
    assert.deepEqual(asked, [`archived as ${url}`, 'indexed'])
    assert.deepEqual(adds, { requests: 1, bytes: 10, revisits: 1, unchanged: 1 })
  })

  test('what has changed replaces the record, and is visited sooner', async () => {
    const { records, keeper, answer, previous } = await visited()
    const changed = { ...page, text: 'other words', contentHash: 'cd'.repeat(32), fetchedAt: 9000 }
    const { adds } = await keeper.keep(request, answer(200, 9000, changed, { previous }))
    const now = (await records.get(url))!
    assert.equal(now.text, 'other words')
    assert.ok(now.next!.intervalMs < previous.next!.intervalMs)
    assert.deepEqual(adds, { requests: 1, bytes: 10, revisits: 1 })
  })

  test('a page that is gone leaves the index', async () => {
    const { records, keeper, answer, previous, asked } = await visited()
    const gone = blankRecord(url, { kind: 'other', status: 410, fetchedAt: 9000 })
    await keeper.keep(request, answer(410, 9000, gone, { previous }))
    assert.ok(asked.includes('removed'))
    assert.equal((await records.get(url))!.next!.because, 'gone')
  })

  test('a server in trouble, or a wall, takes nothing away', async () => {
    for (const trouble of [
      { status: 503, isBlocked: false },
      { status: 429, isBlocked: false },
      { status: 200, isBlocked: true },
    ]) {
      const { records, keeper, answer, previous, asked } = await visited()
      const { status, isBlocked } = trouble
      const said = blankRecord(url, { kind: 'other', status, text: '' })
      await keeper.keep(request, answer(status, 9000, said, { previous, isBlocked }))
      assert.deepEqual(await records.get(url), previous)
      assert.deepEqual(asked, ['archived'])
      assert.equal((await records.visits(url)).length, 2)
    }
  })
})

test('what ends as a retry or a dead letter at first sight is not planned', async () => {
  const { records, keeper, answer } = await visited()
  const other = 'https://a.example/other-page' as CanonicalUrl
  const said = blankRecord(other, { kind: 'other', status: 503 })
  await keeper.keep({ ...request, url: other, isRevisit: false }, answer(503, 9000, said))
  assert.equal((await records.get(other))!.next, undefined)
})

test('a visit tells that its redirect was not followed, and by which rule', async () => {
  const { records, keeper, answer } = await visited()
  const moved = blankRecord(url, { kind: 'redirect', status: 302 })
  const detailOf = async (location: string, redirects: number) => {
    await keeper.keep({ ...request, isRevisit: false, redirects }, answer(302, 9000 + redirects, moved, { location }))
    return (await records.visits(url)).at(-1)!.detail
  }
  assert.equal(await detailOf('https://a.example/next', 0), 'https://a.example/next')
  const refused = await detailOf('https://a.example/next', 99)
  assert.equal(refused, 'https://a.example/next (not followed: too-many-redirects)')
})
