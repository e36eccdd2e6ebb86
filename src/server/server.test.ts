import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { usualListen } from './config.ts'
import { servedWeb } from './server.fixture.ts'
import { listenAddress } from './server.ts'

test('addresses to listen on are read in every usual form', () => {
  assert.deepEqual(listenAddress('127.0.0.1:7070'), { address: '127.0.0.1', port: 7070 })
  assert.deepEqual(listenAddress('[::1]:80'), { address: '::1', port: 80 })
  assert.deepEqual(listenAddress(':0'), { address: '127.0.0.1', port: 0 })
  assert.deepEqual(listenAddress('8080'), { address: '127.0.0.1', port: 8080 })
  assert.deepEqual(listenAddress('crawler.internal:8080'), { address: 'crawler.internal', port: 8080 })
  for (const wrong of ['', 'a b:1', '127.0.0.1', '1.2.3.4:70000', 'http://a:1', '::1:80'])
    assert.throws(() => listenAddress(wrong), /is no address to listen on/, wrong)
})

test('a port that was asked for and is in use is told; the usual one gives way to another', async () => {
  const taken = createServer()
  const { address, port } = listenAddress(usualListen)
  await new Promise<void>((resolve) => {
    taken.once('error', () => resolve())
    taken.listen(port, address, resolve)
  })
  try {
    await assert.rejects(
      servedWeb({ settings: { 'server.listen': `localhost:${port}` } }),
      /another program listens there/,
    )
    await using served = await servedWeb({ settings: { 'server.listen': usualListen } })
    assert.notEqual(new URL(served.server.url).port, String(port))
    assert.equal((await served.client.getHealth()).status, 'ok')
  } finally {
    taken.close()
  }
})

test('HEAD answers as GET does, without a body; other methods are told what there is', async () => {
  await using served = await servedWeb()
  const { url } = served.server
  const head = await fetch(`${url}/v1/crawls`, { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal(await head.text(), '')
  const put = await fetch(`${url}/v1/crawls`, { method: 'PUT' })
  assert.equal(put.status, 405)
  assert.equal(put.headers.get('allow'), 'GET, HEAD, POST')
})

test('faults of a request are named one by one', async () => {
  await using served = await servedWeb()
  const response = await fetch(`${served.server.url}/v1/crawls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: '../x', seeds: [], sedes: ['a.test'] }),
  })
  const { status, faults } = (await response.json()) as { status: number; faults: { at: string }[] }
  assert.equal(status, 400)
  assert.deepEqual(
    faults.map(({ at }) => at),
    ['body.id', 'body.seeds', 'body.sedes'],
  )
})
