import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { systemClock } from '../clock.ts'
import { loadConfig } from '../config/load.ts'
import { startHttpServer, type TestServer } from '../fetch/http/servers.fixture.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { openPageReader } from './open-page-reader.ts'
import type { PageReader } from './page-reader.ts'
import type { Answered } from './reading.ts'

const pageOf = (n: number) => `<title>${n}</title>${`<p>Page ${n} says ${n}.`.repeat(2000)}`

/** Every second page is sent as it is. */
const startPages = () =>
  startHttpServer((request, response) => {
    const n = Number(request.url?.slice(1))
    response.setHeader('content-type', 'text/html')
    if (n % 2 === 1) return void response.end(pageOf(n))
    response.setHeader('content-encoding', 'gzip')
    response.end(gzipSync(pageOf(n), { level: 0 }))
  })

function readerOf(wholePages: boolean, overrides: Readonly<Record<string, unknown>> = {}): PageReader {
  const { config } = loadConfig({ overrides: { allowPrivate: ['*'], ...overrides } })
  const orders = { config, seeds: [], wholePages, maxHeldBytes: 10 ** 8 }
  return openPageReader(orders, systemClock(), new AbortController().signal)
}

async function readPages(reader: PageReader, server: TestServer, from: number): Promise<Answered[]> {
  const readings = Array.from({ length: 20 }, async (_, i): Promise<Answered> => {
    const url = server.url(`/${from + i}`, '127.0.0.1') as CanonicalUrl
    const origin = { priority: 'high', depth: 0, parent: null, discoveredAt: 0, redirects: 0, attempts: 0 } as const
    const reading = await reader.read({ url, ...origin }, () => {})
    assert.equal(reading.kind, 'answered')
    return reading as Answered
  })
  return Promise.all(readings)
}

function assertUntouched(answers: readonly Answered[], from: number): void {
  for (const [i, { exchange }] of answers.entries()) {
    const page = pageOf(from + i)
    const sent = (from + i) % 2 === 1 ? Buffer.from(page) : gzipSync(page, { level: 0 })
    assert.ok(exchange.rawBody.equals(sent), `of page ${from + i}`)
  }
}

describe('the body of an answer', () => {
  it('stays as it is until the answer is released, and then leaves its memory to others', async () => {
    await using server = await startPages()
    await using reader = readerOf(false)
    const first = await readPages(reader, server, 300)
    const second = await readPages(reader, server, 100)
    assertUntouched(first, 300)
    assertUntouched(second, 100)
    const released = new Set(first.map(({ exchange }) => exchange.rawBody.buffer))
    for (const { release } of first) release()
    const third = await readPages(reader, server, 200)
    assertUntouched(second, 100)
    assertUntouched(third, 200)
    assert.ok(third.some(({ exchange }) => released.has(exchange.rawBody.buffer)))
  })

  it('stays as it is for good where pages are handed on whole', async () => {
    await using server = await startPages()
    await using reader = readerOf(true)
    const first = await readPages(reader, server, 300)
    for (const { release } of first) release()
    await readPages(reader, server, 100)
    assertUntouched(first, 300)
    for (const [i, { whole }] of first.entries()) assert.equal(whole?.body.toString(), pageOf(300 + i))
  })
})

describe('the content hash', () => {
  const sent = (n: number) => (n % 2 === 1 ? Buffer.from(pageOf(n)) : gzipSync(pageOf(n), { level: 0 }))

  it('is that of the body as it was sent, whatever is kept', async () => {
    await using server = await startPages()
    const received = Array.from({ length: 20 }, (_, i) => hash('sha256', sent(100 + i)))
    const linksOnly = { 'worker.text': false, 'store.archive': false }
    for (const kept of [{}, { 'worker.text': false }, { 'store.archive': false }, linksOnly]) {
      await using reader = readerOf(false, kept)
      const answers = await readPages(reader, server, 100)
      assert.deepEqual(
        answers.map(({ record }) => record.contentHash),
        received,
      )
    }
  })
})
