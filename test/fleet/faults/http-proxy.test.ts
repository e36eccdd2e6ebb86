import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type HttpFault, s3InternalError, s3SlowDown, searchIsFull } from './http-fault.ts'
import { HttpProxy } from './http-proxy.ts'

/** An engine that keeps what is put. */
async function startEngine() {
  const kept = new Map<string, string>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (bytes) => (body += bytes))
    request.on('error', () => response.destroy())
    request.on('end', () => {
      if (request.method === 'PUT') kept.set(request.url!, body)
      response.setHeader('x-host', request.headers.host ?? '')
      response.setHeader('x-answer', ['one', 'two'])
      response.end(request.method === 'PUT' ? '' : kept.get(request.url!))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    kept,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
    [Symbol.dispose]() {
      this.close()
    },
  }
}

const put = (proxy: HttpProxy, path: string, body: string) => fetch(proxy.url + path, { method: 'PUT', body })

describe('an engine that is not well', () => {
  it('passes requests and answers as they are, with the host that the client named', async () => {
    using engine = await startEngine()
    await using proxy = await HttpProxy.start({ target: engine.url })
    const large = 'x'.repeat(3_000_000)
    const stored = await put(proxy, '/a?b=%20c', large)
    assert.equal(stored.status, 200)
    assert.equal(stored.headers.get('x-host'), new URL(proxy.url).host)
    assert.equal(stored.headers.get('x-answer'), 'one, two')
    assert.equal(await (await fetch(`${proxy.url}/a?b=%20c`)).text(), large)
    assert.deepEqual(proxy.counts, { passed: 2, failed: 0 })
  })

  it('answers in place of the engine, which has not seen the request', async () => {
    using engine = await startEngine()
    await using proxy = await HttpProxy.start({ target: engine.url })
    proxy.set({ kind: 'answer', answer: s3SlowDown, share: 1 })
    const refused = await put(proxy, '/a', 'x'.repeat(3_000_000))
    assert.equal(refused.status, 503)
    assert.match(await refused.text(), /<Code>SlowDown<\/Code>/)
    assert.equal(engine.kept.size, 0)
    proxy.set({ kind: 'pass' })
    assert.equal((await put(proxy, '/a', 'x')).status, 200)
  })

  it('answers too late, when the engine has done what it was asked', async () => {
    using engine = await startEngine()
    await using proxy = await HttpProxy.start({ target: engine.url })
    proxy.set({ kind: 'answer', answer: s3InternalError, share: 1, isLate: true })
    assert.equal((await put(proxy, '/a', 'done')).status, 500)
    assert.equal(engine.kept.get('/a'), 'done')
  })

  it('fails a share of the requests by its seed, and only those that are meant', async () => {
    using engine = await startEngine()
    const fault: HttpFault = {
      kind: 'answer',
      answer: searchIsFull,
      share: 0.3,
      only: ({ method }) => method === 'PUT',
    }
    const statuses = async (seed: number) => {
      await using proxy = await HttpProxy.start({ target: engine.url, seed })
      proxy.set(fault)
      const seen: number[] = []
      for (let i = 0; i < 60; i++) {
        seen.push((await put(proxy, `/${i}`, 'x')).status)
        assert.equal((await fetch(proxy.url)).status, 200)
      }
      return seen.join(' ')
    }
    const first = await statuses(1)
    assert.equal(await statuses(1), first)
    assert.notEqual(await statuses(2), first)
    const failed = first.split('429').length - 1
    assert.ok(failed > 8 && failed < 35, `${failed} of 60`)
  })

  it('breaks the connection when the engine is away', async () => {
    using engine = await startEngine()
    await using proxy = await HttpProxy.start({ target: engine.url })
    assert.equal((await put(proxy, '/a', 'x')).status, 200)
    engine.close()
    await assert.rejects(put(proxy, '/b', 'x'.repeat(100_000)), /fetch failed/)
    await assert.rejects(fetch(proxy.url), /fetch failed/)
  })

  it('goes on when clients give up in the middle', async () => {
    using engine = await startEngine()
    await using proxy = await HttpProxy.start({ target: engine.url })
    const client = connect(Number(new URL(proxy.url).port), '127.0.0.1')
    client.write('PUT /half HTTP/1.1\r\nHost: engine\r\nContent-Length: 1000000\r\n\r\nthe first of it')
    while (proxy.counts.passed === 0) await setImmediate()
    client.resetAndDestroy()
    assert.equal((await put(proxy, '/a', 'x')).status, 200)
  })
})
