import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { servedWeb } from './server.fixture.ts'

const viewers = 1000

test('a thousand viewers are told the same snapshots, of which one is made each second', {
  timeout: 60_000,
}, async () => {
  await using served = await servedWeb({ settings: { 'server.requestsPerSecond': 10_000 } })
  await served.crawl('watched', ['shop'], { politeness: { delayMs: 50 } })
  const { port, hostname } = new URL(served.server.url)
  const { watch, events } = served.server
  const heard = Array.from({ length: viewers }, () => '')
  const sockets: Socket[] = []
  for (let i = 0; i < viewers; i++) {
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    socket.on('data', (data) => {
      heard[i] = `${heard[i]}${data}`
    })
    socket.write('GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n')
    if (i % 100 === 99) await new Promise((resolve) => setImmediate(resolve))
  }
  while (events.viewers < viewers) await new Promise((resolve) => setTimeout(resolve, 20))

  const looksBefore = watch.looks
  const beganAt = Date.now()
  const seen = heard.map((text) => text.length)
  while (heard.some((text, i) => text.split('event: snapshot').length < 5 || text.length === seen[i]))
    // Those who ask once meanwhile are answered the same, and cause no further looks.
    for (let i = 0; i < 5; i++) await served.client.getOverview()
  const elapsedSeconds = (Date.now() - beganAt) / 1000
  assert.ok(watch.looks - looksBefore <= elapsedSeconds + 1, `${watch.looks - looksBefore} in ${elapsedSeconds} s`)

  for (const socket of sockets) socket.destroy()
  while (events.viewers > 0) await new Promise((resolve) => setTimeout(resolve, 20))
})

test('a stream with a limit ends after so many snapshots', { timeout: 30_000 }, async () => {
  await using served = await servedWeb()
  const snapshots = async (query: string) => {
    const text = await (await fetch(`${served.server.url}/v1/events${query}`)).text()
    return text.split('event: snapshot').length - 1
  }
  assert.deepEqual([await snapshots('?limit=1'), await snapshots('?limit=2')], [1, 2])
  for (const wrong of ['?limit=0', '?limit=x', '?limits=1'])
    assert.equal((await fetch(`${served.server.url}/v1/events${wrong}`)).status, 400)
  while (served.server.events.viewers > 0) await new Promise((resolve) => setTimeout(resolve, 20))
})

test('the client follows one snapshot after the other', { timeout: 30_000 }, async () => {
  await using served = await servedWeb()
  const seen: number[] = []
  const leaving = new AbortController()
  for await (const snapshot of served.client.events(leaving.signal)) {
    seen.push(snapshot.at)
    if (seen.length === 3) break
  }
  assert.deepEqual(seen.toSorted(), seen)
  assert.equal(new Set(seen).size, 3)
})
