import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createSecureServer, type ServerHttp2Stream } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createAuthority } from '../../../test/web/tls/authority.ts'
import type { Resolver } from '../../dns/resolver.ts'
import type { CanonicalUrl } from '../../url/keys.ts'
import {
  exchangeOf,
  failureCodeOf,
  listening,
  startHttpServer,
  startRawServer,
  type TestFetcherOptions,
  testFetcher,
} from './servers.fixture.ts'

describe('which addresses are connected to', () => {
  test('a name that points to a private address is refused, and nothing connects', async () => {
    await using server = await startHttpServer((_, response) => response.end())
    await using fetcher = testFetcher({ allowPrivate: () => false })
    const outcome = await fetcher.fetch(server.url())
    assert.equal(failureCodeOf(outcome), 'address-refused')
    assert.match(outcome.kind === 'failed' ? outcome.detail : '', /site\.test: 127\.0\.0\.1 is loopback/)
    assert.equal(server.connections, 0)
  })

  test('a private address in the URL itself is refused in every spelling', async () => {
    await using server = await startHttpServer((_, response) => response.end())
    await using fetcher = testFetcher({ allowPrivate: () => false })
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0'])
      assert.equal(failureCodeOf(await fetcher.fetch(server.url('/', host))), 'address-refused', host)
    assert.equal(server.connections, 0)
  })

  test('a host that is allowed may be private, others still may not', async () => {
    await using server = await startHttpServer((_, response) => response.end())
    await using fetcher = testFetcher({
      names: { 'other.test': ['127.0.0.1'] },
      allowPrivate: (hostname) => hostname === 'site.test',
    })
    assert.equal(failureCodeOf(await fetcher.fetch(server.url())), 'fetched 200')
    assert.equal(failureCodeOf(await fetcher.fetch(server.url('/', 'other.test'))), 'address-refused')
  })

  test('the address that was judged is the one connected to: a name is looked up once for each connection', async () => {
    await using server = await startHttpServer((_, response) => response.end())
    await using fetcher = testFetcher({ connectionsPerOrigin: 1 })
    await fetcher.fetch(server.url())
    await fetcher.fetch(server.url())
    assert.deepEqual(fetcher.resolver.asked, ['site.test'])
  })

  test('when one address gives no connection the next one is tried', async () => {
    await using server = await startHttpServer((_, response) => response.end())
    await using fetcher = testFetcher({ names: { 'site.test': ['::1', '127.0.0.2', '127.0.0.1'] } })
    assert.equal(exchangeOf(await fetcher.fetch(server.url())).address, '127.0.0.1')
  })

  test('IPv6 is tried before IPv4', async (t) => {
    const six = createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
    const server = await listening(six, 'http', '::1').catch(() => undefined)
    if (!server) return t.skip('this machine has no IPv6')
    await using fetcher = testFetcher({ names: { 'site.test': ['127.0.0.1', '::1'] } })
    assert.equal(exchangeOf(await fetcher.fetch(server.url())).address, '::1')
    await server[Symbol.asyncDispose]()
  })
})

describe('connections that fail', () => {
  test('names that do not exist, and names nobody answers for', async () => {
    await using fetcher = testFetcher()
    assert.equal(failureCodeOf(await fetcher.fetch('http://missing.test/' as CanonicalUrl)), 'dns-not-found')
    const silent: Resolver['resolve'] = async () => ({ kind: 'failed', detail: 'no server answers', ttlMs: 0 })
    await using broken = testFetcher()
    Object.assign(broken.resolver, { resolve: silent })
    assert.equal(failureCodeOf(await broken.fetch('http://site.test/' as CanonicalUrl)), 'dns-failed')
  })

  test('a port where nobody listens', async () => {
    const server = await startHttpServer(() => {})
    const url = server.url()
    await server[Symbol.asyncDispose]()
    await using fetcher = testFetcher()
    assert.equal(failureCodeOf(await fetcher.fetch(url)), 'connect-refused')
    assert.equal(failureCodeOf(await fetcher.fetch(url)), 'connect-refused')
  })

  test('a server that accepts and never shakes hands', async () => {
    await using server = await listening(createTcpServer(), 'https')
    await using fetcher = testFetcher({ connectTimeoutMs: 100 })
    assert.equal(failureCodeOf(await fetcher.fetch(server.url())), 'connect-timeout')
  })

  test('a resolver that never answers ends with the time of the attempt', async () => {
    await using fetcher = testFetcher({ totalTimeoutMs: 100 })
    Object.assign(fetcher.resolver, { resolve: () => new Promise(() => {}) })
    assert.equal(failureCodeOf(await fetcher.fetch('http://site.test/' as CanonicalUrl)), 'connect-timeout')
  })

  test('a server that hangs up within the handshake', async () => {
    await using server = await listening(
      createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.destroy())),
      'https',
    )
    await using fetcher = testFetcher()
    assert.equal(failureCodeOf(await fetcher.fetch(server.url())), 'connect-failed')
  })
})

describe('TLS', () => {
  const authority = createAuthority(Date.now())
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-tls-'))
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, authority.certificate)
  after(() => rmSync(folder, { recursive: true }))

  const names = { 'good.test': ['127.0.0.1'], 'bad.test': ['127.0.0.1'] }
  const trusting = (options: TestFetcherOptions = {}) => testFetcher({ names, caCertificates: [caFile], ...options })

  function startHttps(kind: Parameters<typeof authority.contextOf>[1]) {
    const server = createHttpsServer(
      { SNICallback: (name, done) => done(null, authority.contextOf(`${kind}.${name}`.replace(/^good\./, ''), kind)) },
      (_, response) => response.end('secure'),
    )
    return listening(server, 'https')
  }

  test('a site with a certificate of a trusted authority', async () => {
    await using server = await startHttps('good')
    await using fetcher = trusting()
    const exchange = exchangeOf(await fetcher.fetch(server.url('/', 'good.test')))
    assert.equal(exchange.body.toString(), 'secure')
    assert.equal(exchange.protocol, 'http/1.1')
  })

  test('an authority that nobody named is not trusted', async () => {
    await using server = await startHttps('good')
    await using fetcher = testFetcher({ names })
    assert.equal(failureCodeOf(await fetcher.fetch(server.url('/', 'good.test'))), 'tls-untrusted')
  })

  const words = { expired: 'tls-expired', 'wrong-name': 'tls-wrong-name', 'self-signed': 'tls-untrusted' } as const
  for (const kind of ['expired', 'wrong-name', 'self-signed'] as const)
    test(`a certificate that is ${kind} is refused, and said to be so`, async () => {
      await using server = await startHttps(kind)
      await using fetcher = trusting()
      const outcome = await fetcher.fetch(server.url('/', 'bad.test'))
      assert.equal(failureCodeOf(outcome), words[kind])
      assert.match(outcome.kind === 'failed' ? outcome.detail : '', /expired|altnames|self-signed/i)
    })

  test('plain HTTP where TLS was expected', async () => {
    await using server = await startRawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await using fetcher = trusting()
    const url = server.url('/', 'good.test').replace('http:', 'https:') as CanonicalUrl
    assert.equal(failureCodeOf(await fetcher.fetch(url)), 'tls-invalid')
  })

  async function startHttp2() {
    const server = createSecureServer({
      allowHTTP1: true,
      SNICallback: (name, done) => done(null, authority.contextOf(name, 'good')),
    })
    server.on('request', (request, response) => {
      response.setHeader('X-Version', request.httpVersion)
      response.setHeader('Set-Cookie', ['a=1', 'b=2'])
      response.end('secure')
    })
    return listening(server, 'https')
  }

  test('HTTP/2 is spoken where the server can, and several requests share one connection', async () => {
    await using server = await startHttp2()
    await using fetcher = trusting()
    await fetcher.fetch(server.url('/', 'good.test'))
    const fetching = Array.from({ length: 20 }, (_, i) => fetcher.fetch(server.url(`/${i}`, 'good.test')))
    for (const outcome of await Promise.all(fetching)) {
      const { protocol, headers, body, status, address } = exchangeOf(outcome)
      assert.deepEqual([protocol, status, body.toString(), address], ['h2', 200, 'secure', '127.0.0.1'])
      assert.deepEqual(
        headers.filter(([name]) => name !== 'date'),
        [
          ['x-version', '2.0'],
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ],
      )
    }
    assert.equal(server.connections, 1)
  })

  test('a fetcher that is closed while it opens a connection leaves none behind, whatever the server speaks', async () => {
    for (const http2 of [true, false])
      for (const afterMs of [0, 5, 20]) {
        await using server = await startHttp2()
        const fetcher = trusting({ http2 })
        const fetching = fetcher.fetch(server.url('/', 'good.test'))
        await wait(afterMs)
        await fetcher[Symbol.asyncDispose]()
        assert.match(failureCodeOf(await fetching), /^(?:cancelled|fetched 200)$/)
        for (let i = 0; i < 100 && server.open > 0; i++) await wait(10)
        assert.equal(server.open, 0)
      }
  })

  test('HTTP/2 can be turned off', async () => {
    await using server = await startHttp2()
    await using fetcher = trusting({ http2: false })
    assert.equal(exchangeOf(await fetcher.fetch(server.url('/', 'good.test'))).protocol, 'http/1.1')
  })

  test('HTTP/2 streams that are refused, reset or never answered fail by name', async () => {
    const server = createSecureServer({ SNICallback: (name, done) => done(null, authority.contextOf(name, 'good')) })
    server.on('stream', (stream: ServerHttp2Stream, headers) => {
      stream.on('error', () => {})
      if (headers[':path'] === '/silent') return
      if (headers[':path'] === '/body') {
        stream.respond({ ':status': 200, 'content-type': 'text/html' })
        stream.write('beginning')
      }
      setTimeout(() => stream.destroy(new Error('broken')), 20)
    })
    await using site = await listening(server, 'https')
    await using fetcher = trusting({ firstByteTimeoutMs: 150 })
    const codes = ['/refused', '/body', '/silent'].map(async (path) =>
      failureCodeOf(await fetcher.fetch(site.url(path, 'good.test'))),
    )
    assert.deepEqual(await Promise.all(codes), ['reset', 'reset', 'first-byte-timeout'])
  })

  test('a server that says goodbye on HTTP/2 fails what it did not answer, and is asked anew on another connection', async () => {
    const server = createSecureServer({ SNICallback: (name, done) => done(null, authority.contextOf(name, 'good')) })
    let requests = 0
    server.on('stream', (stream: ServerHttp2Stream) => {
      stream.on('error', () => {})
      requests++
      if (requests === 1) return stream.session!.goaway(0, 0)
      if (requests === 2) return stream.session!.destroy()
      stream.respond({ ':status': 200, 'content-type': 'text/html' })
      stream.end('secure')
    })
    await using site = await listening(server, 'https')
    await using fetcher = trusting({ firstByteTimeoutMs: 1000 })
    const fetched = async () => failureCodeOf(await fetcher.fetch(site.url('/', 'good.test')))
    assert.match(await fetched(), /^(?:reset|first-byte-timeout)$/)
    assert.match(await fetched(), /^reset$/)
    assert.equal(await fetched(), 'fetched 200')
  })
})
