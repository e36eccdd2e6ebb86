import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestWeb, type TestWeb } from '../../test/web/web.ts'
import { type CrawlOptions, crawl, openCrawlData, resume, StorageError, UsageError } from '../index.ts'

const pages = 30
let web: TestWeb
let scratch: string
let folders = 0

before(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'orbweaver-library-'))
  web = await startTestWeb({ hosts: [{ character: 'polite', name: 'site', pages }] })
})
after(async () => {
  await web[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true, force: true })
})

function options(more: Partial<CrawlOptions> = {}): CrawlOptions & { out: string } {
  const { config, ...rest } = more
  return {
    seeds: web.seeds,
    delayMs: 0,
    ...rest,
    out: rest.out ?? join(scratch, String(++folders)),
    config: { dns: { servers: [web.dns] }, ...config },
  }
}

const expectedUrls = () => [...web.expected().pages.keys()].sort()

test('a loop over a crawl sees every page once, with what was parsed of it', async () => {
  const seen: string[] = []
  const crawling = crawl(options())
  for await (const page of crawling) {
    assert.equal(page.title, web.expected().pages.get(page.url)?.title)
    assert.equal(page.parsed.kind, 'html')
    assert.match(page.body.toString(), /<title>/)
    seen.push(page.url)
  }
  assert.deepEqual(seen.sort(), expectedUrls())
  const { reason, pages: counted } = await crawling
  assert.deepEqual([reason, counted], ['finished', pages])
})

test('a crawl that is awaited runs its hook for every page and gives its summary', async () => {
  const seen: string[] = []
  const summary = await crawl(options({ onPage: ({ url }) => seen.push(url) }))
  assert.deepEqual(seen.sort(), expectedUrls())
  assert.deepEqual([summary.reason, summary.pages, summary.queued], ['finished', pages, 0])
})

test('nothing begins before a crawl is iterated or awaited', async () => {
  const asked = options()
  const crawling = crawl(asked)
  await sleep(20)
  assert.equal(existsSync(asked.out), false)
  assert.equal(await crawling.progress(), undefined)
})

test('a slow loop holds the crawl back: no more is fetched than may be under way', async () => {
  const before = web.requests.length
  for await (const _page of crawl(options({ concurrency: 3 }))) {
    await sleep(200)
    break
  }
  const fetched = web.requests.slice(before).filter(({ target }) => target !== '/robots.txt')
  assert.ok(fetched.length <= 4, `${fetched.length} pages fetched while the loop held the first`)
})

test('breaking out of the loop stops the crawl, and resume delivers the rest, beginning with the page it was left at', async () => {
  const { out, ...rest } = options()
  const first: string[] = []
  const crawling = crawl({ out, ...rest })
  for await (const page of crawling) {
    first.push(page.url)
    if (first.length === 10) break
  }
  const { reason, pages: counted } = await crawling.summary()
  assert.deepEqual([reason, counted], ['stopped', 9])

  const second: string[] = []
  const resumed = resume({ out })
  for await (const page of resumed) second.push(page.url)
  assert.deepEqual([...first.slice(0, 9), ...second].sort(), expectedUrls())
  assert.equal((await resumed).pages, pages)
})

test('stop ends the loop after the pages under way, and none of them comes again', async () => {
  const { out, ...rest } = options({ concurrency: 4 })
  const seen: string[] = []
  const crawling = crawl({ out, ...rest })
  for await (const page of crawling) {
    seen.push(page.url)
    crawling.stop()
  }
  assert.equal((await crawling).reason, 'stopped')
  assert.ok(seen.length < pages)
  for await (const page of resume({ out })) seen.push(page.url)
  assert.deepEqual(seen.sort(), expectedUrls())
})

test('an aborted signal stops the crawl in order', async () => {
  const stopping = new AbortController()
  const asked = options({ signal: stopping.signal, onPage: () => stopping.abort() })
  const summary = await crawl(asked)
  assert.equal(summary.reason, 'stopped')
  assert.ok(summary.queued > 0)
  assert.equal((await resume({ out: asked.out })).pages, pages)
})

test('a hook that throws stops the crawl with its error, and its page is delivered again', async () => {
  const asked = options()
  const delivered: string[] = []
  const failing = crawl({
    ...asked,
    async onPage({ url }) {
      if (delivered.length === 5) throw new RangeError(`the database refused ${url}`)
      delivered.push(url)
    },
  })
  let refused = ''
  await assert.rejects(failing.summary(), (error: Error) => {
    refused = error.message.replace('the database refused ', '')
    return error instanceof RangeError
  })
  const second: string[] = []
  const summary = await resume({ out: asked.out, onPage: ({ url }) => second.push(url) })
  assert.ok(second.includes(refused))
  assert.deepEqual([...new Set([...delivered, ...second])].sort(), expectedUrls())
  assert.equal(summary.pages, pages)
})

test('an error in the body of the loop reaches the caller and leaves the page queued', async () => {
  const asked = options()
  const looping = async () => {
    for await (const page of crawl(asked)) throw new RangeError(page.url)
  }
  await assert.rejects(looping, RangeError)
  assert.equal((await resume({ out: asked.out })).pages, pages)
})

test('a crawl that cannot be written fails in the loop with a StorageError', async () => {
  const asked = options({ out: join(import.meta.filename, 'below-a-file') })
  const looping = async () => {
    for await (const _page of crawl(asked)) assert.fail('no page can come')
  }
  await assert.rejects(looping, StorageError)
})

test('limits hold over all runs, and resume may raise them', async () => {
  const asked = options({ maxPages: 7 })
  assert.deepEqual((({ pages, reason }) => [pages, reason])(await crawl(asked)), [7, 'limit'])
  assert.equal((await resume({ out: asked.out, maxPages: 12 })).pages, 12)
  assert.equal((await resume({ out: asked.out, maxPages: 0 })).pages, pages)
})

test('the same crawl cannot be iterated twice', async () => {
  const crawling = crawl(options({ maxPages: 1 }))
  await crawling
  await assert.rejects(async () => {
    for await (const _page of crawling) assert.fail('no page can come')
  }, UsageError)
})

test('wrong options are refused by name before anything is made', async () => {
  const wrong: [object, RegExp][] = [
    [{ maxPage: 3 }, /crawl\(\) has no option maxPage\. Did you mean maxPages\?/],
    [{ maxPages: -1 }, /limits\.maxPages/],
    [{ config: { fetch: { maxBody: 1 } } }, /Unknown setting fetch\.maxBody/],
    [{ seeds: [] }, /seeds/],
    [{ seeds: 'https://example.com' }, /seeds must be a list/],
    [{ seeds: ['ftp://example.com/'] }, /no URL to start from/],
    [{ include: ['re:('] }, /re:\(/],
    [{ environment: { ORBWEAVER_FETCH_MAX_BODY: '1' } }, /ORBWEAVER_FETCH_MAX_BODY/],
  ]
  for (const [more, message] of wrong) {
    const asked = { ...options(), ...more }
    await assert.rejects(crawl(asked).summary(), (error: Error) => {
      assert.ok(error instanceof UsageError, `${JSON.stringify(more)}: ${error.stack}`)
      assert.match(error.message, message)
      return true
    })
    assert.equal(existsSync(asked.out), false)
  }
  const { out } = options({})
  await assert.rejects(resume({ out, seeds: [] } as { out: string }).summary(), /resume\(\) has no option seeds/)
  await assert.rejects(resume({ out }).summary(), /There is no crawl in/)
})

test('frequent settings win over environment, and environment over config', async () => {
  const config = { limits: { maxPages: 1 }, worker: { index: false } }
  const environment = { ORBWEAVER_LIMITS_MAX_PAGES: '2', PATH: '/bin' }
  assert.equal((await crawl(options({ config, environment }))).pages, 2)
  assert.equal((await crawl(options({ config, environment, maxPages: 3 }))).pages, 3)
})

test('what a crawl has brought can be read: records, responses, search and what became of each URL', async () => {
  const asked = options({ maxPages: 5 })
  await crawl(asked)
  await using data = await openCrawlData(asked.out)
  const url = data.canonicalUrl(`${web.seeds[0]}#top`)
  const record = await data.records.get(url)
  assert.equal(record?.title, web.expected().pages.get(url)?.title)
  assert.match((await data.archive.read(record!.warc!))!.body.toString(), /<title>/)
  assert.equal((await data.ledger.lookup(url))?.state, 'done')
  const kinds: string[] = []
  for await (const { kind } of data.records.scan()) kinds.push(kind)
  assert.equal(kinds.filter((kind) => kind === 'page').length, 5)
  assert.equal((await data.ledger.counts()).done, kinds.length)
  assert.ok((await data.search(record!.title)).some((hit) => hit.url === url))
  assert.deepEqual(data.seeds, web.seeds)
})
