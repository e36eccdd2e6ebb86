import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { smallWeb } from '../../../test/web/presets.ts'
import { startTestWeb, type TestWeb } from '../../../test/web/web.ts'
import { systemClock } from '../../clock.ts'
import { loadConfig } from '../../config/load.ts'
import { UsageError } from '../../config/usage-error.ts'
import type { CrawlRequest } from '../../frontier/frontier.ts'
import type { CanonicalUrl } from '../../url/keys.ts'
import { openPageReader, type ReadingOrders } from '../open-page-reader.ts'
import type { Reading } from '../reading.ts'
import type { ReadingContext } from '../start-reader.ts'
import { ReadingThread } from './reading-thread.ts'
import { ThreadedReader } from './threaded-reader.ts'

const clock = systemClock()
const idle = new AbortController().signal
const fail = (error: unknown) => assert.fail(error as Error)

function requestOf(url: string): CrawlRequest {
  return {
    ...{ url: url as CanonicalUrl, priority: 'high', depth: 0, parent: null, discoveredAt: 0, redirects: 0 },
    attempts: 0,
  }
}

function ordersOf(overrides: Record<string, unknown>, wholePages = false): ReadingOrders {
  const { config } = loadConfig({ overrides: { allowPrivate: ['*'], 'url.scope': 'domain', ...overrides } })
  const seeds = ['http://shop-1.test/' as CanonicalUrl]
  return { config, seeds, wholePages, maxHeldBytes: 10 ** 8 }
}

function opened(reader: ThreadedReader, orders: ReadingOrders, context: Partial<ReadingContext> = {}): ThreadedReader {
  reader.open({ orders, clock, aborting: idle, fail, ...context })
  return reader
}

/** Without what differs between two requests for the same thing. */
function lasting(reading: Reading): unknown {
  if (reading.kind === 'failed') return { ...reading, detail: '', durationMs: 0 }
  const { exchange, record } = reading
  const headers = exchange.headers.filter(([name]) => name.toLowerCase() !== 'date')
  const atNoTime = { startedAt: 0, durationMs: 0, headers }
  const { release: _function, ...answer } = reading
  return { ...answer, exchange: { ...exchange, ...atNoTime }, record: { ...record, fetchedAt: 0 } }
}

describe('reading in other threads', () => {
  let web: TestWeb
  let folder: string
  let settings: Record<string, unknown>

  before(async () => {
    web = await startTestWeb(smallWeb)
    folder = mkdtempSync(join(tmpdir(), 'orbweaver-threads-'))
    const ca = join(folder, 'ca.pem')
    writeFileSync(ca, web.caCertificate)
    settings = { 'dns.servers': [web.dns], 'fetch.caCertificates': [ca] }
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await web[Symbol.asyncDispose]()
  })

  it('brings exactly what reading in this thread brings, whatever the server sends', async () => {
    for (const wholePages of [false, true]) {
      const orders = ordersOf(settings, wholePages)
      await using here = openPageReader(orders, clock, idle)
      await using there = opened(new ThreadedReader(2), orders)
      const kinds = new Set<string>()
      // Those that answer the same each time.
      for (const seed of web.seeds.filter((url) => !/flaky|changing|rate-limited|slow/.test(url))) {
        const request = requestOf(seed)
        let sent = 0
        const expected = await here.read(request, () => {})
        const reading = await there.read(request, () => sent++)
        assert.deepEqual(lasting(reading), lasting(expected), seed)
        if (reading.kind === 'answered') {
          assert.ok(Buffer.isBuffer(reading.exchange.rawBody), seed)
          assert.equal(sent, 1, seed)
        }
        kinds.add(reading.kind === 'answered' ? reading.record.kind : reading.code)
      }
      for (const kind of ['page', 'redirect', 'dns-not-found', 'tls-expired']) assert.ok(kinds.has(kind), kind)
    }
  })

  it('hands a plain answer over with its bytes, and a body that needed no decoding once', async () => {
    await using reader = opened(new ThreadedReader(1), ordersOf(settings))
    const robots = new URL('/robots.txt', web.seeds[0]).href as CanonicalUrl
    const outcome = await reader.fetch(robots, { cutAtBytes: 9 })
    assert.equal(outcome.kind, 'fetched')
    if (outcome.kind !== 'fetched') return
    assert.equal(outcome.exchange.body.length, 9)
    assert.equal(outcome.exchange.truncated, 'bytes')
  })

  it('takes another host into the scope when told to', async () => {
    const seed = web.seeds.find((url) => url.includes('large.test'))!
    const narrow = {
      ...ordersOf({ ...settings, 'url.scope': 'host' }),
      seeds: ['http://elsewhere.test/' as CanonicalUrl],
    }
    await using reader = opened(new ThreadedReader(2), narrow)
    const before = await reader.read(requestOf(seed), () => {})
    assert.ok(before.kind === 'answered' && before.candidates.length === 0)
    assert.ok(before.kind === 'answered' && before.refused['out-of-scope']! > 0)
    reader.widen(new URL(seed).host)
    const afterwards = await reader.read(requestOf(seed), () => {})
    assert.ok(afterwards.kind === 'answered' && afterwards.candidates.length > 0)
  })

  it('gives up what is under way when the crawl is aborted', async () => {
    const aborting = new AbortController()
    await using reader = opened(new ThreadedReader(1), ordersOf(settings), { aborting: aborting.signal })
    await reader.read(requestOf(web.seeds[0]!), () => {})
    aborting.abort()
    const reading = await reader.read(requestOf(web.seeds[0]!), () => {})
    assert.ok(reading.kind === 'failed' && reading.code === 'cancelled')
  })

  it('says in one sentence what of its orders cannot be followed', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const orders = ordersOf({ 'fetch.caCertificates': [join(folder, 'missing.pem')] })
    await using _reader = opened(new ThreadedReader(1), orders, { fail: resolve })
    const error = await promise
    assert.ok(error instanceof UsageError)
    assert.match(error.message, /missing\.pem cannot be used/)
  })
})

describe('a thread that dies', () => {
  const dying = () => new ReadingThread(new URL('./dying-thread.fixture.ts', import.meta.url))
  const orders = ordersOf({})
  const read = (reader: ThreadedReader, path: string) => reader.read(requestOf(`http://a.test/${path}`), () => {})

  it('fails what it was reading in a way that may heal, and is replaced', async () => {
    await using reader = opened(new ThreadedReader(1, dying), orders)
    const waiting = read(reader, 'never')
    const deadly = await read(reader, 'die')
    assert.ok(deadly.kind === 'failed' && deadly.code === 'reader-died' && deadly.detail === 'out of its mind')
    const beside = await waiting
    assert.ok(beside.kind === 'failed' && beside.code === 'reader-died')
    const next = await read(reader, 'fine')
    assert.ok(next.kind === 'failed' && next.code === 'reset')
  })

  it('again and again without reading anything in between ends the crawl, and answers still come', async () => {
    let failure: unknown
    await using reader = opened(new ThreadedReader(1, dying), orders, { fail: (error) => (failure = error) })
    let deaths = 0
    while (failure === undefined && deaths < 50) {
      await read(reader, 'die')
      deaths++
    }
    assert.match(String(failure), /out of its mind/)
    const reading = await read(reader, 'fine')
    assert.ok(reading.kind === 'failed' && reading.code === 'reader-died')
  })

  it('is closed in order, and what it was reading is cancelled', async () => {
    const reader = opened(new ThreadedReader(1, dying), orders)
    const waiting = read(reader, 'never')
    await reader[Symbol.asyncDispose]()
    const reading = await waiting
    assert.ok(reading.kind === 'failed' && reading.code === 'cancelled')
  })
})

it('a script that came by --eval can have threads', () => {
  const module = JSON.stringify(new URL('./reading-thread.ts', import.meta.url).href)
  const script = `import { ReadingThread } from ${module}; await new ReadingThread().close(); console.log('closed')`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  assert.deepEqual([stdout, stderr], ['closed\n', ''])
})
