import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { exchangeOf, failureCodeOf, startHttpServer, testFetcher } from './servers.fixture.ts'

const ok = (_: unknown, response: ServerResponse) => response.end('ok')

describe('connections', () => {
  test('requests one after the other share a connection', async () => {
    await using server = await startHttpServer(ok)
    await using fetcher = testFetcher()
    for (let i = 0; i < 10; i++) await fetcher.fetch(server.url(`/${i}`))
    assert.equal(server.connections, 1)
  })

  test('requests at the same time use no more connections than allowed, and all are answered', async () => {
    await using server = await startHttpServer(ok)
    await using fetcher = testFetcher({ connectionsPerOrigin: 3 })
    const outcomes = await Promise.all(Array.from({ length: 30 }, (_, i) => fetcher.fetch(server.url(`/${i}`))))
    assert.ok(outcomes.every((outcome) => exchangeOf(outcome).body.toString() === 'ok'))
    assert.equal(server.connections, 3)
  })

  test('each host has its own connections, also when two hosts share an address', async () => {
    await using server = await startHttpServer(ok)
    await using fetcher = testFetcher({ names: { 'a.test': ['127.0.0.1'], 'b.test': ['127.0.0.1'] } })
    await fetcher.fetch(server.url('/', 'a.test'))
    await fetcher.fetch(server.url('/', 'b.test'))
    assert.equal(server.connections, 2)
  })

  test('of too many idle connections the oldest are closed', async () => {
    const open = new Set<unknown>()
    const names = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`host-${i}.test`, ['127.0.0.1']]))
    await using server = await startHttpServer((request, response) => {
      open.add(request.socket)
      request.socket.on('close', () => open.delete(request.socket))
      response.end()
    })
    await using fetcher = testFetcher({ names, maxIdleConnections: 5 })
    for (const name of Object.keys(names)) await fetcher.fetch(server.url('/', name))
    await wait(20)
    assert.equal(open.size, 5)
    await fetcher.fetch(server.url('/', 'host-19.test'))
    assert.equal(server.connections, 20)
  })

  test('a connection that the server closes after its answer is replaced', async () => {
    await using server = await startHttpServer((_, response) => response.setHeader('Connection', 'close').end('ok'))
    await using fetcher = testFetcher({ connectionsPerOrigin: 1 })
    const outcomes = await Promise.all([1, 2, 3].map((i) => fetcher.fetch(server.url(`/${i}`))))
    assert.ok(outcomes.every((outcome) => exchangeOf(outcome).body.toString() === 'ok'))
    assert.equal(server.connections, 3)
  })

  test('a connection that ran out of time is not used again', async () => {
    await using server = await startHttpServer((request, response) => {
      if (request.url !== '/silent') response.end()
    })
    await using fetcher = testFetcher({ firstByteTimeoutMs: 100 })
    assert.equal(failureCodeOf(await fetcher.fetch(server.url('/silent'))), 'first-byte-timeout')
    assert.equal(failureCodeOf(await fetcher.fetch(server.url())), 'fetched 200')
    assert.equal(server.connections, 2)
  })

  test('requests behind one that fails on the same connection are not lost', async () => {
    await using server = await startHttpServer((request, response) => {
      if (request.url === '/reset') request.socket.resetAndDestroy()
      else response.end('ok')
    })
    await using fetcher = testFetcher({ connectionsPerOrigin: 1 })
    const outcomes = await Promise.all(['/reset', '/a', '/reset', '/b'].map((path) => fetcher.fetch(server.url(path))))
    assert.deepEqual(outcomes.map(failureCodeOf), ['reset', 'fetched 200', 'reset', 'fetched 200'])
  })

  test('a request is never sent twice', async () => {
    let requests = 0
    await using server = await startHttpServer((request, response) => {
      requests++
      if (request.url === '/reset') request.socket.resetAndDestroy()
      else response.end('ok')
    })
    await using fetcher = testFetcher()
    await fetcher.fetch(server.url('/'))
    assert.equal(failureCodeOf(await fetcher.fetch(server.url('/reset'))), 'reset')
    assert.equal(requests, 2)
  })

  test('a request that waits in line on a busy connection is not late, and its time is counted from its turn', async () => {
    await using server = await startHttpServer((_request, response) => void setTimeout(() => response.end('x'), 150))
    await using fetcher = testFetcher({ connectionsPerOrigin: 1, totalTimeoutMs: 400, firstByteTimeoutMs: 400 })
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, i) => fetcher.fetch(server.url(`/${i}`))))
    const exchanges = outcomes.map((outcome) => exchangeOf(outcome))
    assert.equal(server.connections, 1)
    for (const [i, { startedAt }] of exchanges.entries())
      if (i > 0) assert.ok(startedAt > exchanges[i - 1]!.startedAt, 'one after the other')
  })
})
