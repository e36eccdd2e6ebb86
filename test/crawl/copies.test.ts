import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { openCrawl } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import { createCrawlFolder } from '../../src/embedded/crawl-folder.ts'
import { openReader } from '../../src/embedded/open-reader.ts'
import { startHttpServer } from '../../src/fetch/http/servers.fixture.ts'
import { scratchFolder, withoutProbes } from './crawl-of-web.ts'

const words = Array.from({ length: 200 }, (_, i) => `lamp${i} wick${(i * 7) % 31}`).join(' ')
const copy = Buffer.from(`<title>Lamps</title><p>${words}`)
const start = Buffer.from(['/time', '/name', '/level', '/brotli'].map((path) => `<a href="${path}">x</a>`).join(''))

/** As gzip of its own moment, as some servers make it. */
function gzipMade(at: number, body: Buffer): Buffer {
  const packed = gzipSync(body)
  packed.writeUInt32LE(at, 4)
  return packed
}

function gzipNamed(name: string, body: Buffer): Buffer {
  const packed = gzipSync(body)
  packed[3] = 8
  return Buffer.concat([packed.subarray(0, 10), Buffer.from(`${name}\0`), packed.subarray(10)])
}

const answers: Readonly<Record<string, readonly [encoding: string, body: Buffer]>> = {
  '/': ['gzip', gzipSync(start)],
  '/time': ['gzip', gzipMade(1_700_000_000, copy)],
  '/name': ['gzip', gzipNamed('lamps.html', copy)],
  '/level': ['gzip', gzipSync(copy, { level: 0 })],
  '/brotli': ['br', brotliCompressSync(copy)],
}

test('copies are told from their bytes as sent, whatever gzip says of time and name; sent in other ways they are near-copies', async () => {
  using scratch = scratchFolder()
  await using server = await startHttpServer((request, response) => {
    const [encoding, body] = answers[request.url!] ?? ['', Buffer.alloc(0)]
    response.writeHead(encoding ? 200 : 404, { 'content-type': 'text/html', 'content-encoding': encoding }).end(body)
  })
  const { config, given } = loadConfig({
    overrides: { 'politeness.delayMs': 0, allowPrivate: ['*'], 'worker.concurrency': 1, ...withoutProbes },
  })
  const origin = server.url('', '127.0.0.1').replace(/\/$/, '')
  const folder = createCrawlFolder(join(scratch.path, 'crawl'), [`${origin}/`], given)
  {
    await using crawl = await openCrawl(folder, config)
    assert.equal(await crawl.run(), 'finished')
  }
  await using reader = await openReader(folder)
  const kinds = new Map<string, string>()
  for await (const { url, duplicateOf, nearDuplicateOf } of reader.records.scan())
    kinds.set(url.slice(origin.length), duplicateOf ? 'copy' : nearDuplicateOf ? 'near-copy' : 'original')
  const gzips = [kinds.get('/time'), kinds.get('/name')]
  assert.equal(gzips.filter((kind) => kind === 'copy').length, 1, 'whichever came second')
  const rest = [...kinds.values()].filter((kind) => kind !== 'copy').sort()
  assert.deepEqual(rest, ['near-copy', 'near-copy', 'original', 'original'])
})
