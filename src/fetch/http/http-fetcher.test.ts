import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import zlib from 'node:zlib'
import type { CanonicalUrl } from '../../url/keys.ts'
import { header } from '../outcome.ts'
import { exchangeOf, failureCodeOf, startHttpServer, startRawServer, testFetcher } from './servers.fixture.ts'

const page = `<!doctype html><title>Page</title>${'<p>Some text of a page.</p>'.repeat(500)}`

describe('http fetcher', () => {
  test('a page comes with its status, headers as sent, body and address', async () => {
    await using server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 Very Fine\r\nX-One: 1\r\ncontent-TYPE: text/html\r\nX-One: zwei \xfc\r\n', 'latin1')
      socket.write('Content-Length: 5\r\n\r\nhello')
    })
    await using fetcher = testFetcher()
    const outcome = await fetcher.fetch(server.url('/a?b=c'))
    assert.equal(outcome.kind, 'fetched')
    const exchange = exchangeOf(outcome)
    assert.equal(exchange.status, 200)
    assert.equal(exchange.statusText, 'Very Fine')
    assert.deepEqual(exchange.headers, [
      ['X-One', '1'],
      ['content-TYPE', 'text/html'],
      ['X-One', 'zwei \xfc'],
      ['Content-Length', '5'],
    ])
    assert.equal(exchange.body.toString(), 'hello')
    assert.equal(exchange.body, exchange.rawBody)
    assert.equal(exchange.address, '127.0.0.1')
    assert.equal(exchange.protocol, 'http/1.1')
    assert.equal(exchange.truncated, null)
    assert.equal(exchange.url, server.url('/a?b=c'))
  })

  test('the request headers in the exchange are those that the server saw', async () => {
    let seen: IncomingMessage | undefined
    await using server = await startHttpServer((request, response) => {
      seen = request
      response.end()
    })
    await using fetcher = testFetcher({ contact: 'https://example.org/bot' })
    const { requestHeaders } = exchangeOf(
      await fetcher.fetch(server.url('/x'), {
        headers: [
          ['If-None-Match', '"a"'],
          ['accept', 'text/plain'],
        ],
      }),
    )
    assert.equal(seen?.url, '/x')
    assert.deepEqual(seen?.rawHeaders, requestHeaders.flat())
    assert.equal(header(requestHeaders, 'user-agent'), 'orbweaver/0.1 (+https://example.org/bot)')
    assert.equal(header(requestHeaders, 'host'), `site.test:${server.port}`)
    assert.equal(header(requestHeaders, 'accept'), 'text/plain')
    assert.equal(header(requestHeaders, 'if-none-match'), '"a"')
  })

  for (const [coding, encode] of Object.entries({
    gzip: zlib.gzipSync,
    br: zlib.brotliCompressSync,
    zstd: zlib.zstdCompressSync,
    deflate: zlib.deflateSync,
    'raw deflate': zlib.deflateRawSync,
  }))
    test(`${coding} is decoded, and kept as it came`, async () => {
      const encoded = encode(page)
      await using server = await startHttpServer((_, response) => {
        response.setHeader('Content-Encoding', coding.replace('raw ', ''))
        response.end(encoded)
      })
      await using fetcher = testFetcher()
      const { body, rawBody, truncated } = exchangeOf(await fetcher.fetch(server.url()))
      assert.equal(body.toString(), page)
      assert.deepEqual(rawBody, encoded)
      assert.equal(truncated, null)
    })

  test('a redirect is an outcome of its own, with its target made absolute', async () => {
    await using server = await startHttpServer((_, response) => {
      response.writeHead(302, { Location: '../next?x=1#part' }).end('moved')
    })
    await using fetcher = testFetcher()
    const outcome = await fetcher.fetch(server.url('/a/b'))
    assert.equal(outcome.kind, 'redirected')
    assert.equal(outcome.kind === 'redirected' && outcome.location, server.url('/next?x=1'))
    assert.equal(exchangeOf(outcome).body.toString(), 'moved')
  })

  test('a redirect to nowhere is an answer like any other', async () => {
    await using server = await startHttpServer((_, response) => response.writeHead(301, { Location: 'http://[' }).end())
    await using fetcher = testFetcher()
    assert.equal(failureCodeOf(await fetcher.fetch(server.url())), 'fetched 301')
  })

  test('statuses without a body are answers', async () => {
    await using server = await startHttpServer((request, response) => {
      response.writeHead(Number(request.url!.slice(1))).end()
    })
    await using fetcher = testFetcher()
    for (const status of [204, 304, 404, 410, 500, 503])
      assert.equal(failureCodeOf(await fetcher.fetch(server.url(`/${status}`))), `fetched ${status}`)
  })

  test('informational answers before the real one are passed over', async () => {
    await using server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
    await using fetcher = testFetcher()
    assert.equal(exchangeOf(await fetcher.fetch(server.url())).body.toString(), 'ok')
  })

  test('a chunked body is joined', async () => {
    await using server = await startHttpServer((_, response) => {
      response.write('one ')
      setImmediate(() => response.end('two'))
    })
    await using fetcher = testFetcher()
    assert.equal(exchangeOf(await fetcher.fetch(server.url())).body.toString(), 'one two')
  })

  test('a caller who stops gets `cancelled`, before, while waiting and within a body', async () => {
    await using server = await startHttpServer((request, response) => {
      if (request.url === '/body') response.write('beginning')
    })
    await using fetcher = testFetcher()
    assert.equal(failureCodeOf(await fetcher.fetch(server.url(), { signal: AbortSignal.abort() })), 'cancelled')
    for (const path of ['/', '/body']) {
      const stop = new AbortController()
      const fetching = fetcher.fetch(server.url(path), { signal: stop.signal })
      setTimeout(() => stop.abort(), 20)
      assert.equal(failureCodeOf(await fetching), 'cancelled', path)
    }
  })

  test('closing the fetcher ends what is under way', async () => {
    await using server = await startHttpServer(() => {})
    const fetcher = testFetcher()
    const fetching = fetcher.fetch(server.url())
    await new Promise((resolve) => setTimeout(resolve, 20))
    await fetcher[Symbol.asyncDispose]()
    assert.equal(failureCodeOf(await fetching), 'cancelled')
  })

  test('what is no HTTP URL fails and does not throw', async () => {
    await using fetcher = testFetcher()
    for (const url of ['', 'ftp://site.test/', 'mailto:a@b.test', 'http://', 'nonsense'])
      assert.equal(failureCodeOf(await fetcher.fetch(url as CanonicalUrl)), 'protocol', url)
  })

  test('an unreadable certificate file is refused by name when the fetcher is made', () => {
    assert.throws(
      () => testFetcher({ caCertificates: ['/nowhere/ca.pem'] }),
      /The certificate \/nowhere\/ca\.pem cannot be used/,
    )
    assert.throws(() => testFetcher({ caCertificates: [import.meta.filename] }), /cannot be used/)
  })
})
