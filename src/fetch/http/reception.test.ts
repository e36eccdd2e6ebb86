import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, test } from 'node:test'
import zlib from 'node:zlib'
import { exchangeOf, failureCodeOf, startHttpServer, startRawServer, testFetcher } from './servers.fixture.ts'

const html = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'

/** What one fetch from a server that answers so ends with. */
async function outcomeFrom(answer: (socket: Socket) => void, config: Parameters<typeof testFetcher>[0] = {}) {
  await using server = await startRawServer(answer)
  await using fetcher = testFetcher(config)
  return await fetcher.fetch(server.url())
}

function drip(socket: Socket, everyMs: number, piece: string | Buffer) {
  const timer = setInterval(() => socket.write(piece), everyMs)
  socket.on('close', () => clearInterval(timer))
}

describe('limits of time', () => {
  test('a server that never answers', async () => {
    assert.equal(failureCodeOf(await outcomeFrom(() => {}, { firstByteTimeoutMs: 100 })), 'first-byte-timeout')
  })

  test('a server that sends its head byte by byte, for ever', async () => {
    const outcome = await outcomeFrom(
      (socket) => {
        socket.write(`${html}X-Slow: `)
        drip(socket, 10, 'a')
      },
      { firstByteTimeoutMs: 150 },
    )
    assert.equal(failureCodeOf(outcome), 'first-byte-timeout')
  })

  test('a server that sends informational answers for ever', async () => {
    const outcome = await outcomeFrom((socket) => drip(socket, 5, 'HTTP/1.1 103 Early Hints\r\n\r\n'), {
      firstByteTimeoutMs: 150,
    })
    assert.equal(failureCodeOf(outcome), 'first-byte-timeout')
  })

  test('a body that stops', async () => {
    const outcome = await outcomeFrom((socket) => socket.write(`${html}Content-Length: 10\r\n\r\nabc`), {
      bodyTimeoutMs: 100,
    })
    assert.equal(failureCodeOf(outcome), 'body-timeout')
  })

  test('a body that drips, though it never stops', async () => {
    const outcome = await outcomeFrom(
      (socket) => {
        socket.write(`${html}\r\n`)
        drip(socket, 10, 'x')
      },
      { totalTimeoutMs: 200 },
    )
    assert.equal(failureCodeOf(outcome), 'total-timeout')
  })

  test('a large body that flows earns the time it needs', async () => {
    const outcome = await outcomeFrom(
      (socket) => {
        socket.write(`${html}Content-Length: 80000\r\n\r\n`)
        drip(socket, 40, Buffer.alloc(10_000, 'x'))
      },
      { totalTimeoutMs: 150, minBytesPerSecond: 50_000 },
    )
    assert.equal(exchangeOf(outcome).body.length, 80_000)
  })

  test('a stream of a type that is not parsed is kept as far as it came', async () => {
    const outcome = await outcomeFrom(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n')
        drip(socket, 10, 'x')
      },
      { totalTimeoutMs: 150 },
    )
    assert.equal(exchangeOf(outcome).truncated, 'time')
    assert.ok(exchangeOf(outcome).body.length > 0)
  })
})

describe('limits of size', () => {
  test('an endless page is cut at the limit, and reading it ends', async () => {
    await using server = await startHttpServer((_, response) => {
      response.setHeader('Content-Type', 'text/html')
      const piece = Buffer.alloc(64 * 1024, 'x')
      const pour = () => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', pour)
      pour()
    })
    await using fetcher = testFetcher({ maxBodyBytes: 300_000 })
    const { body, truncated } = exchangeOf(await fetcher.fetch(server.url()))
    assert.equal(body.length, 300_000)
    assert.equal(truncated, 'bytes')
  })

  test('a page that announces more than the limit is refused before it is read', async () => {
    const outcome = await outcomeFrom((socket) => socket.write(`${html}Content-Length: 99999999\r\n\r\nabc`))
    assert.equal(failureCodeOf(outcome), 'body-too-large')
  })

  test('a page is cut where the caller wants it cut, whatever it announces', async () => {
    await using server = await startHttpServer((_, response) => {
      response.setHeader('Content-Type', 'text/plain')
      response.end(Buffer.alloc(2_000_000, 'x'))
    })
    await using fetcher = testFetcher({ maxBodyBytes: 1_000_000 })
    const { body, truncated } = exchangeOf(await fetcher.fetch(server.url(), { cutAtBytes: 500 }))
    assert.equal(body.length, 500)
    assert.equal(truncated, 'bytes')
  })

  test('a body of exactly the limit is whole', async () => {
    const outcome = await outcomeFrom((socket) => socket.write(`${html}Content-Length: 5\r\n\r\nhello`), {
      maxBodyBytes: 5,
    })
    assert.equal(exchangeOf(outcome).truncated, null)
  })

  test('of a video only the beginning is read', async () => {
    let sentBytes = 0
    await using server = await startHttpServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': 100_000_000 })
      const piece = Buffer.alloc(64 * 1024)
      const pour = () => {
        while (!response.destroyed && response.write(piece)) sentBytes += piece.length
      }
      response.on('drain', pour)
      pour()
    })
    await using fetcher = testFetcher({ maxOtherBytes: 10_000 })
    const { body, truncated } = exchangeOf(await fetcher.fetch(server.url()))
    assert.equal(body.length, 10_000)
    assert.equal(truncated, 'bytes')
    assert.ok(sentBytes < 50_000_000)
  })

  test('a gzip bomb is stopped while it inflates, in bounded memory', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(100 * 1024 * 1024))
    await using server = await startHttpServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }).end(bomb)
    })
    await using fetcher = testFetcher()
    const before = process.memoryUsage().rss
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => fetcher.fetch(server.url())))
    assert.deepEqual(outcomes.map(failureCodeOf), new Array(4).fill('inflate-too-large'))
    assert.ok(process.memoryUsage().rss - before < 80 * 1024 * 1024)
  })

  test('too large a head, and too many headers', async () => {
    const large = await outcomeFrom((socket) => socket.write(`${html}X: ${'a'.repeat(100_000)}\r\n\r\n`))
    assert.equal(failureCodeOf(large), 'protocol')
    const many = await outcomeFrom((socket) => socket.write(`${html}${'X: a\r\n'.repeat(1000)}\r\n`))
    assert.equal(failureCodeOf(many), 'protocol')
  })
})

describe('broken answers', () => {
  test('a body shorter than announced is kept as far as it came', async () => {
    const outcome = await outcomeFrom((socket) => socket.end(`${html}Content-Length: 100\r\n\r\nshort`))
    assert.equal(exchangeOf(outcome).body.toString(), 'short')
    assert.equal(exchangeOf(outcome).truncated, 'length')
  })

  test('a chunked body without its end is kept as far as it came', async () => {
    const outcome = await outcomeFrom((socket) => socket.end(`${html}Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n`))
    assert.equal(exchangeOf(outcome).body.toString(), 'short')
    assert.equal(exchangeOf(outcome).truncated, 'length')
  })

  test('a gzip body cut short by the server is kept as far as it can be read', async () => {
    const text = Array.from({ length: 5000 }, (_, i) => `<p>${i * 7919}</p>`).join('')
    const encoded = zlib.gzipSync(text)
    const outcome = await outcomeFrom((socket) => {
      socket.write(`${html}Content-Encoding: gzip\r\nContent-Length: ${encoded.length}\r\n\r\n`)
      socket.end(encoded.subarray(0, encoded.length - 1000))
    })
    const { body, truncated } = exchangeOf(outcome)
    assert.equal(truncated, 'length')
    assert.ok(body.length > 10_000 && text.startsWith(body.toString()))
  })

  test('a body longer than announced is cut where it was announced, and the connection not trusted again', async () => {
    await using server = await startRawServer((socket) => socket.write(`${html}Content-Length: 2\r\n\r\nok and more`))
    await using fetcher = testFetcher()
    for (let i = 0; i < 2; i++) assert.equal(exchangeOf(await fetcher.fetch(server.url())).body.toString(), 'ok')
    assert.equal(server.connections, 2)
  })

  for (const [name, head] of [
    ['with a length', 'Content-Length: 100000\r\n'],
    ['with a length, on a connection that was to close', 'Content-Length: 100000\r\nConnection: close\r\n'],
    ['without a length', ''],
    ['in chunks', 'Transfer-Encoding: chunked\r\n'],
  ] as const)
    test(`a connection that is reset within a body ${name}`, async () => {
      const outcome = await outcomeFrom((socket) => {
        socket.write(`${html}${head}\r\n${head.startsWith('T') ? '5\r\n' : ''}hello`)
        setTimeout(() => socket.resetAndDestroy(), 20)
      })
      assert.equal(failureCodeOf(outcome), 'reset')
    })

  test('a connection that is reset or closed instead of an answer', async () => {
    assert.equal(failureCodeOf(await outcomeFrom((socket) => socket.resetAndDestroy())), 'reset')
    assert.equal(failureCodeOf(await outcomeFrom((socket) => socket.end())), 'reset')
    assert.equal(failureCodeOf(await outcomeFrom((socket) => socket.end('HTTP/1.1 200 OK\r\nConte'))), 'reset')
  })

  test('garbage instead of HTTP', async () => {
    for (const garbage of [
      'SSH-2.0-OpenSSH_9.6\r\n',
      '\0\x01\x02\x03',
      'HTTP/1.1 abc\r\n\r\n',
      'HTTP/9.9 200 OK\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    ])
      assert.equal(failureCodeOf(await outcomeFrom((socket) => socket.write(garbage))), 'protocol', garbage)
  })

  test('a coding that cannot be undone', async () => {
    const outcome = await outcomeFrom((socket) =>
      socket.write(`${html}Content-Encoding: gzip\r\nContent-Length: 12\r\n\r\nabcdefghijkl`),
    )
    assert.equal(failureCodeOf(outcome), 'bad-encoding')
  })

  test('an error page whose body cannot be decoded is still an answer', async () => {
    const outcome = await outcomeFrom((socket) =>
      socket.write('HTTP/1.1 404 Not Found\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\nabcdefghijkl'),
    )
    assert.equal(failureCodeOf(outcome), 'fetched 404')
    assert.equal(exchangeOf(outcome).body.length, 0)
  })
})
