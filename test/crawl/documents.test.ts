import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { openCrawl } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import { createCrawlFolder } from '../../src/embedded/crawl-folder.ts'
import { openReader } from '../../src/embedded/open-reader.ts'
import { docx, pdf } from '../../src/parse/documents.fixture.ts'
import type { CanonicalUrl } from '../../src/url/keys.ts'
import { scratchFolder, withoutProbes } from './crawl-of-web.ts'

const office = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const files: Readonly<Record<string, readonly [type: string, body: Buffer]>> = {
  '/': [
    'text/html',
    Buffer.from(
      '<title>Files</title>' +
        ['/a.pdf', '/b.docx', '/c.pdf', '/d.mp4'].map((path) => `<a href="${path}">x</a>`).join(''),
    ),
  ],
  '/a.pdf': ['application/pdf', pdf(['The albatross follows the ship'], 'Birds')],
  '/b.docx': [office, docx('A walrus sleeps on the ice', 'Beasts')],
  '/c.pdf': ['application/pdf', pdf(['broken']).subarray(0, 50)],
  '/d.mp4': ['video/mp4', Buffer.alloc(3_000_000)],
  '/e.txt': ['text/plain', Buffer.from('Plain words on pelicans')],
}

test('PDF and Office files are pages that can be found; broken ones and media are recorded for what they are', async () => {
  using scratch = scratchFolder()
  const server = createServer((request, response) => {
    const [type, body] = files[request.url!] ?? ['text/plain', Buffer.from('')]
    const refresh = request.url === '/' ? { refresh: '5; url=e.txt' } : {}
    response.writeHead(files[request.url!] ? 200 : 404, { 'content-type': type, ...refresh }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { config, given } = loadConfig({
    overrides: { 'politeness.delayMs': 0, allowPrivate: ['*'], ...withoutProbes },
  })
  const folder = createCrawlFolder(join(scratch.path, 'crawl'), [`${origin}/`], given)
  {
    await using crawl = await openCrawl(folder, config)
    assert.equal(await crawl.run(), 'finished')
  }
  server.close()
  await using reader = await openReader(folder)
  const recordOf = async (path: string) => reader.records.get(`${origin}${path}` as CanonicalUrl)
  assert.equal((await recordOf('/a.pdf'))?.title, 'Birds')
  const found = async (word: string) => (await reader.index.search(word, 5)).map(({ url }) => url.slice(origin.length))
  assert.deepEqual(await found('albatross'), ['/a.pdf'])
  assert.deepEqual(await found('walrus'), ['/b.docx'])
  assert.deepEqual(await found('pelicans'), ['/e.txt'], 'where the head of the first page sends its reader on')
  assert.equal((await recordOf('/c.pdf'))?.kind, 'other')
  const [broken] = await reader.records.visits(`${origin}/c.pdf` as CanonicalUrl)
  assert.match(broken!.detail, /^pdf that cannot be read: /)
  const [video] = await reader.records.visits(`${origin}/d.mp4` as CanonicalUrl)
  assert.deepEqual([video!.kind, video!.bytes, video!.detail], ['other', 16_384, 'cut at the limit of bytes'])
})
