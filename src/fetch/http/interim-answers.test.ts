import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InterimAnswers } from './interim-answers.ts'
import { exchangeOf, failureCodeOf, startRawServer, testFetcher } from './servers.fixture.ts'

const page = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello'
const goOn = 'HTTP/1.1 100 Continue\r\nServer: old\r\n\r\n'

/** What is left of bytes that come in pieces. */
function leftOf(interim: InterimAnswers, pieces: readonly string[]): string {
  return pieces.map((piece) => interim.take(Buffer.from(piece, 'latin1'))?.toString('latin1') ?? '').join('')
}

test('wherever the bytes are parted, nothing but 100 Continue is taken out', () => {
  const whole = goOn + goOn + page
  for (let first = 0; first <= whole.length; first++)
    for (const second of [first, first + 1, first + 7, whole.length]) {
      const interim = new InterimAnswers()
      interim.begin()
      const pieces = [whole.slice(0, first), whole.slice(first, second), whole.slice(second)]
      assert.equal(leftOf(interim, pieces), page, `parted at ${first} and ${second}`)
    }
})

test('what is no 100 Continue comes at once and whole', () => {
  for (const bytes of [
    page,
    'HTTP/1.1 103 Early Hints\r\n\r\n',
    'HTTP/1.1 1000 X\r\n',
    'SSH-2.0',
    '<p>',
    'HTTP/2 100',
  ]) {
    const interim = new InterimAnswers()
    interim.begin()
    assert.equal(leftOf(interim, [bytes]), bytes)
  }
})

test('what follows the beginning of an answer is left alone, unless that was another interim one', () => {
  const interim = new InterimAnswers()
  interim.begin()
  assert.equal(leftOf(interim, [goOn, page.slice(0, 20), goOn]), page.slice(0, 20) + goOn)
  interim.begin()
  assert.equal(leftOf(interim, ['HTTP/1.1 103 Early Hints\r\n\r\n']), 'HTTP/1.1 103 Early Hints\r\n\r\n')
  interim.goOn()
  assert.equal(leftOf(interim, [goOn, page]), page)
})

test('neither many of them nor one without end are kept in memory', () => {
  const interim = new InterimAnswers()
  interim.begin()
  assert.equal(leftOf(interim, [goOn.repeat(30)]), goOn.repeat(20), 'ten were believed')
  interim.begin()
  const endless = `HTTP/1.1 100 Continue\r\n${'X: y\r\n'.repeat(5000)}`
  assert.equal(leftOf(interim, [endless]), endless)
})

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
