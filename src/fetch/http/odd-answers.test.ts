import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FetchOutcome } from '../outcome.ts'
import { startRawServer, testFetcher } from './servers.fixture.ts'

const html = 'Content-Type: text/html\r\n'
const page = `${html}Content-Length: 5\r\n\r\nhello`
const answer = (status: string, rest = `${html}Content-Length: 0\r\n\r\n`) => `HTTP/1.1 ${status}\r\n${rest}`
const long = 'x'.repeat(100_000)

/** What a server sends, bytes as they cross the wire → what comes of it: outcome, status and body, or the failure. */
const table: readonly (readonly [name: string, sent: string, outcome: string])[] = [
  ['a redirect without Location', answer('301 Moved'), 'fetched 301'],
  ['a redirect with an empty Location', answer('302 Found', 'Location: \r\nContent-Length: 0\r\n\r\n'), 'fetched 302'],
  [
    'a redirect to what is no URL',
    answer('302 Found', 'Location: http://[x]/\r\nContent-Length: 0\r\n\r\n'),
    'fetched 302',
  ],
  ['a relative redirect', answer('303 See', 'Location: ?a=1#b\r\nContent-Length: 0\r\n\r\n'), 'redirected 303 /?a=1'],
  [
    'a redirect that keeps the method',
    answer('308 P', 'Location: //site.test/x\r\nContent-Length: 0\r\n\r\n'),
    'redirected 308 /x',
  ],
  [
    'several choices with a preferred one',
    answer('300 M', 'Location: /y\r\nContent-Length: 0\r\n\r\n'),
    'redirected 300 /y',
  ],
  ['a proxy to be used', answer('305 Use', 'Location: /z\r\nContent-Length: 0\r\n\r\n'), 'fetched 305'],
  [
    'two Locations: the first counts',
    answer('302 F', 'Location: /1\r\nLocation: /2\r\nContent-Length: 0\r\n\r\n'),
    'redirected 302 /1',
  ],
  ['204 without a body', answer('204 No Content', '\r\n'), 'fetched 204'],
  ['206 that nobody asked for', answer('206 Partial', page), 'fetched 206 hello'],
  ['304 that nobody asked for', answer('304 Not Modified', '\r\n'), 'fetched 304'],
  ...([401, 403, 410, 421, 425, 429, 503] as const).map(
    (status) => [`${status} as it came`, answer(`${status} X`, page), `fetched ${status} hello`] as const,
  ),
  ['a status without words', answer('200', page), 'fetched 200 hello'],
  ['a status nobody knows', answer('799 What', page), 'fetched 799 hello'],
  ['headers twice are kept twice', answer('200 OK', `X-A: 1\r\nX-A: 2\r\n${page}`), 'fetched 200 hello'],
  ['two equal lengths', answer('200 OK', `Content-Length: 5\r\n${page}`), 'fetched 200 hello'],
  ['two lengths that differ', answer('200 OK', `Content-Length: 9\r\n${page}`), 'failed protocol'],
  [
    'a chunked body with trailers',
    answer('200 OK', `${html}Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n`),
    'fetched 200 hello',
  ],
  [
    'chunks with extensions',
    answer('200 OK', `${html}Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\n\r\n`),
    'fetched 200 hello',
  ],
  [
    'a length beside chunks',
    answer('200 OK', `${html}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
    'fetched 200 hello',
  ],
  ['a header bomb', answer('200 OK', `X-Bomb: ${long}\r\n${page}`), 'failed protocol'],
  ['a thousand headers', answer('200 OK', `${'A: b\r\n'.repeat(1000)}${page}`), 'failed protocol'],
  ['a header without a name', answer('200 OK', `: b\r\n${page}`), 'fetched 200 hello'],
  ['a header with NUL', answer('200 OK', `X-A: a\0b\r\n${page}`), 'failed protocol'],
  ['HTTP/0.9: a body without a head', '<title>Old</title>', 'failed protocol'],
  ['HTTP/1.0 that ends with the connection', `HTTP/1.0 200 OK\r\n${html}\r\nhello`, 'fetched 200 hello'],
  [
    'a 100 Continue that nobody asked for',
    `HTTP/1.1 100 Continue\r\n\r\n${answer('200 OK', page)}`,
    'fetched 200 hello',
  ],
  [
    'several of them, with headers and other interim answers between',
    `HTTP/1.0 100\r\nX: y\r\n\r\nHTTP/1.1 100 Go on\r\n\r\nHTTP/1.1 103 Hints\r\n\r\n${answer('200 OK', page)}`,
    'fetched 200 hello',
  ],
  ['100 Continue without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100), 'failed protocol'],
  ['100 Continue and nothing more', 'HTTP/1.1 100 Continue\r\n\r\n', 'failed reset'],
  [
    'a body that begins like an interim answer',
    answer('200 OK', `${html}Content-Length: 25\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n`),
    'fetched 200 HTTP/1.1 100 Continue',
  ],
  [
    '103 Early Hints before the answer',
    `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${answer('200 OK', page)}`,
    'fetched 200 hello',
  ],
  ['101 that nobody asked for', answer('101 Switching', 'Upgrade: x\r\n\r\n'), 'failed reset'],
  ['an early close in the head', 'HTTP/1.1 200 OK\r\nContent-', 'failed reset'],
  ['an early close in the body', answer('200 OK', `${html}Content-Length: 9\r\n\r\nhello`), 'fetched 200 hello'],
  ['no answer at all', '', 'failed reset'],
  [
    'a Location in raw UTF-8',
    answer('301 M', `Location: /k\xc3\xa4se\r\nContent-Length: 0\r\n\r\n`),
    'redirected 301 /k%C3%A4se',
  ],
]

function inWords(outcome: FetchOutcome): string {
  if (outcome.kind === 'failed') return `failed ${outcome.code}`
  const { status, body } = outcome.exchange
  const rest = outcome.kind === 'redirected' ? outcome.location.replace(/^http:\/\/[^/]+/, '') : body.toString()
  return `${outcome.kind} ${status} ${rest}`.trim()
}

describe('answers as servers give them', () => {
  for (const [name, sent, expected] of table)
    test(name, async () => {
      await using server = await startRawServer((socket) => socket.end(Buffer.from(sent, 'latin1')))
      await using fetcher = testFetcher()
      assert.equal(inWords(await fetcher.fetch(server.url())), expected)
    })

  test('a host with letters beyond ASCII is asked for by its encoded name', async () => {
    let asked = ''
    await using server = await startRawServer((socket, request) => {
      asked = /^host: (\S+)/im.exec(request)?.[1] ?? ''
      socket.end(answer('200 OK', page))
    })
    const host = new URL('http://käse.test/').hostname
    await using fetcher = testFetcher({ names: { [host]: ['127.0.0.1'] } })
    assert.equal(inWords(await fetcher.fetch(server.url('/', host))), 'fetched 200 hello')
    assert.equal(asked, `xn--kse-qla.test:${server.port}`)
  })

  test('an address of IPv6 that gives no connection is followed by one of IPv4', async () => {
    await using server = await startRawServer((socket) => socket.end(answer('200 OK', page)))
    await using fetcher = testFetcher({ names: { 'both.test': ['::1', '127.0.0.1'] } })
    const outcome = await fetcher.fetch(server.url('/', 'both.test'))
    assert.equal(outcome.kind !== 'failed' && outcome.exchange.address, '127.0.0.1')
  })
})
