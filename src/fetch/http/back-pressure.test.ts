import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { HeldBytes, heldBytesOf } from '../held-bytes.ts'
import { exchangeOf, failureCodeOf, startHttpServer, testFetcher } from './servers.fixture.ts'

const mib = 1024 * 1024

describe('back-pressure from storage to connections', () => {
  test('many large bodies and a slow storage: held bytes stay within the limit and one body, and all arrive', async () => {
    const body = Buffer.alloc(mib, 'large ')
    await using server = await startHttpServer((_, response) => response.end(body))
    const names = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`host-${i}.test`, ['127.0.0.1']]))
    const held = new HeldBytes(3 * mib)
    await using fetcher = testFetcher({ names, held })
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, held.bytes)), 1).unref()
    let storing = Promise.resolve()
    const arrived = await Promise.all(
      Object.keys(names).map(async (name) => {
        const exchange = exchangeOf(await fetcher.fetch(server.url('/', name)))
        most = Math.max(most, held.bytes)
        storing = storing.then(() => wait(20)).then(() => held.release(heldBytesOf(exchange)))
        return exchange.body.equals(body)
      }),
    )
    await storing
    clearInterval(watch)
    assert.deepEqual(new Set(arrived), new Set([true]))
    assert.equal(arrived.length, 30)
    assert.equal(held.bytes, 0)
    // A socket that was filled while it waited may hand over a second piece at once, and so may several in one turn.
    assert.ok(most <= 5 * mib, `${most / mib} MiB`)
    assert.ok(most >= mib)
  })

  test('time for which we did not read is neither silence of the server nor latency', async () => {
    await using server = await startHttpServer((_, response) => response.end(Buffer.alloc(mib)))
    const held = new HeldBytes(mib)
    await using fetcher = testFetcher({ held, bodyTimeoutMs: 500, totalTimeoutMs: 500, firstByteTimeoutMs: 2000 })
    const first = exchangeOf(await fetcher.fetch(server.url('/first')))
    const second = fetcher.fetch(server.url('/second'))
    await wait(1000)
    held.release(heldBytesOf(first))
    const exchange = exchangeOf(await second)
    assert.equal(exchange.body.length, mib)
    assert.ok(exchange.durationMs < 900, `${exchange.durationMs} ms`)
    held.release(heldBytesOf(exchange))
    assert.equal(held.bytes, 0)
  })

  test('a connection whose answer was told to wait within its last piece is read again', async () => {
    await using server = await startHttpServer((_, response) => response.end('small'))
    const held = new HeldBytes(100)
    await using fetcher = testFetcher({ held, firstByteTimeoutMs: 300, connectionsPerOrigin: 1 })
    for (let i = 0; i < 3; i++) assert.equal(exchangeOf(await fetcher.fetch(server.url())).body.toString(), 'small')
    assert.equal(server.connections, 1)
  })

  test('what fails, is cancelled or cannot be decoded is held no longer', async () => {
    const cancelled = new AbortController()
    await using server = await startHttpServer(({ url }, response) => {
      response.setHeader('Content-Type', 'text/html')
      if (url === '/broken') response.setHeader('Content-Encoding', 'gzip').end(Buffer.alloc(1000, 'x'))
      else if (url === '/stops') response.write(Buffer.alloc(10_000))
      else response.destroy()
    })
    const held = new HeldBytes(mib)
    await using fetcher = testFetcher({ held, bodyTimeoutMs: 100 })
    assert.equal(failureCodeOf(await fetcher.fetch(server.url('/broken'))), 'bad-encoding')
    assert.equal(failureCodeOf(await fetcher.fetch(server.url('/stops'))), 'body-timeout')
    const fetching = fetcher.fetch(server.url('/stops'), { signal: cancelled.signal })
    await wait(30)
    cancelled.abort()
    assert.equal(failureCodeOf(await fetching), 'cancelled')
    assert.equal(failureCodeOf(await fetcher.fetch(server.url('/destroyed'))), 'reset')
    assert.equal(held.bytes, 0)
  })

  test('an answer that waits can be cancelled', async () => {
    await using server = await startHttpServer((_, response) => response.end(Buffer.alloc(mib)))
    const held = new HeldBytes(mib)
    await using fetcher = testFetcher({ held })
    const first = exchangeOf(await fetcher.fetch(server.url('/first')))
    const cancelled = new AbortController()
    const second = fetcher.fetch(server.url('/second'), { signal: cancelled.signal })
    await wait(50)
    cancelled.abort()
    assert.equal(failureCodeOf(await second), 'cancelled')
    assert.equal(held.bytes, heldBytesOf(first))
  })

  test('a body counts as received and as decoded', async () => {
    const body = Buffer.alloc(100_000, 'again ')
    await using server = await startHttpServer((_, response) =>
      response.setHeader('Content-Encoding', 'gzip').end(gzipSync(body)),
    )
    const held = new HeldBytes(mib)
    await using fetcher = testFetcher({ held })
    const exchange = exchangeOf(await fetcher.fetch(server.url()))
    assert.equal(held.bytes, exchange.rawBody.length + body.length)
    held.release(heldBytesOf(exchange))
    assert.equal(held.bytes, 0)
  })
})
