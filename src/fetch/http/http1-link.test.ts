import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { exchangeOf, failureCodeOf, startHttpServer, startRawServer, testFetcher } from './servers.fixture.ts'

const page = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello'
const goOn = 'HTTP/1.1 100 Continue\r\nServer: old\r\n\r\n'

describe('HTTP/1.1 on one socket', () => {
  test('a connection goes on after 100 Continue, and each answer may have its own', async () => {
    await using server = await startRawServer((socket) => {
      socket.write(goOn.slice(0, 5))
      setTimeout(() => socket.write(goOn.slice(5) + page.slice(0, 4)), 5)
      setTimeout(() => socket.write(page.slice(4)), 10)
    })
    await using fetcher = testFetcher()
    for (let i = 0; i < 3; i++) assert.equal(exchangeOf(await fetcher.fetch(server.url())).body.toString(), 'hello')
    assert.equal(server.connections, 1)
  })

  test('a server that says 100 Continue and then nothing is late', async () => {
    await using server = await startRawServer((socket) => socket.write(goOn))
    await using fetcher = testFetcher({ firstByteTimeoutMs: 100 })
    assert.equal(failureCodeOf(await fetcher.fetch(server.url())), 'first-byte-timeout')
  })

  for (const [name, head, connections] of [
    ['an old server that says so', 'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n', 1],
    ['an old server that says nothing', 'HTTP/1.0 200 OK\r\n', 2],
    ['a server that closes soon', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\n', 2],
    ['a server that closes late', 'HTTP/1.1 200 OK\r\nKeep-Alive: max=5, timeout=100\r\n', 1],
    ['a server that wants to close, and does not', 'HTTP/1.1 200 OK\r\nConnection: foo, Close\r\n', 2],
  ] as const)
    test(`${name} is asked again over ${connections === 1 ? 'the same connection' : 'another connection'}`, async () => {
      await using server = await startRawServer((socket) => socket.write(`${head}Content-Length: 2\r\n\r\nok`))
      await using fetcher = testFetcher()
      for (let i = 0; i < 2; i++) assert.equal(exchangeOf(await fetcher.fetch(server.url())).body.toString(), 'ok')
      assert.equal(server.connections, connections)
    })

  test('a connection that nobody uses is closed after a while', async () => {
    const closed = Promise.withResolvers<void>()
    await using server = await startHttpServer((request, response) => {
      request.socket.once('close', () => closed.resolve())
      response.removeHeader('Keep-Alive')
      response.writeHead(200, { Connection: 'x', 'Content-Length': 2 }).end('ok')
    })
    await using fetcher = testFetcher({ keepAliveMs: 100 })
    await fetcher.fetch(server.url())
    await wait(60)
    await fetcher.fetch(server.url())
    await closed.promise
    assert.equal(server.connections, 1)
  })

  test('bytes that come unasked end the connection, and harm no request', async () => {
    let closed = 0
    await using server = await startRawServer((socket) => {
      socket.once('close', () => closed++)
      socket.write(page)
      setTimeout(() => socket.write('and another thing'), 20)
    })
    await using fetcher = testFetcher()
    for (let i = 0; i < 3; i++) {
      assert.equal(exchangeOf(await fetcher.fetch(server.url())).body.toString(), 'hello')
      while (closed <= i) await wait(5)
    }
    assert.equal(server.connections, 3)
  })

  test('a body in chunks of one byte each takes no more memory than it has bytes', async () => {
    const bytes = 300_000
    await using server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      socket.end(`${'1\r\nx\r\n'.repeat(bytes)}0\r\n\r\n`)
    })
    await using fetcher = testFetcher()
    const { rawBody } = exchangeOf(await fetcher.fetch(server.url()))
    assert.equal(rawBody.length, bytes)
    assert.ok(rawBody.buffer.byteLength <= 2 * bytes, `${rawBody.buffer.byteLength}`)
  })

  test('a header with a line end in its value is not sent', async () => {
    let requests = 0
    await using server = await startHttpServer((_, response) => {
      requests++
      response.end()
    })
    await using fetcher = testFetcher()
    const outcome = await fetcher.fetch(server.url(), { headers: [['If-None-Match', '"a"\r\nX-Evil: 1']] })
    assert.equal(failureCodeOf(outcome), 'protocol')
    assert.equal(requests, 0)
  })
})
