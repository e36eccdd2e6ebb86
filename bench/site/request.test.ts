import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRequest } from './request.ts'

const head = 'GET /a HTTP/1.1\r\nhost: site-00001.bench.test:80\r\nACCEPT-encoding: br;q=1, gzip;q=0.5\r\n\r\n'

test('a request may come in pieces, and the next one may hang on to it', () => {
  for (let length = 0; length < head.length; length++) assert.equal(readRequest(head.slice(0, length)), undefined)
  const read = readRequest(`${head}GET /b`)
  assert.ok(read && read !== 'bad')
  assert.equal(read.rest, 'GET /b')
  assert.deepEqual(read.request, {
    method: 'GET',
    path: '/a',
    host: 'site-00001.bench.test',
    acceptsGzip: true,
    keepAlive: true,
  })
})

test('a connection stays open as its version says, unless the client says otherwise', () => {
  const stays = (text: string) => {
    const read = readRequest(text)
    return read && read !== 'bad' && read.request.keepAlive
  }
  assert.equal(stays('GET / HTTP/1.0\r\n\r\n'), false)
  assert.equal(stays('GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n'), true)
  assert.equal(stays('GET / HTTP/1.1\r\nConnection: close\r\n\r\n'), false)
})

test('what is no request, or has no end, is given up', () => {
  assert.equal(readRequest('\u0016\u0003\u0001\r\n\r\n'), 'bad')
  assert.equal(readRequest('GET / HTTP/2\r\n\r\n'), 'bad')
  assert.equal(readRequest(`GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}`), 'bad')
})
