import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { NetworkProxy } from './network-proxy.ts'

/** An engine that remembers lines and answers each with its number. */
async function startEngine() {
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.on('error', () => sockets.delete(socket))
    socket.on('data', (bytes) => {
      text += bytes
      const whole = text.split('\n')
      text = whole.pop()!
      for (const line of whole) socket.write(`${lines.push(line)} ${line}\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    lines,
    sockets,
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

class Client {
  received = ''
  readonly socket: Socket
  readonly ended: Promise<string>

  constructor(address: string) {
    const [host, port] = address.split(':')
    this.socket = connect(Number(port), host)
    this.socket.on('data', (bytes) => (this.received += bytes))
    this.ended = new Promise((resolve) => {
      let code = 'closed'
      this.socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code ?? 'error'))
      this.socket.on('close', () => resolve(code))
    })
  }

  say(line: string): void {
    this.socket.write(`${line}\n`)
  }

  async hears(text: string): Promise<void> {
    await until(() => this.received.includes(text))
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries++) {
    assert.ok(tries < 2000, 'it never came true')
    await sleep(2)
  }
}

describe('a network that can fail', () => {
  it('passes everything, both ways and in order', async () => {
    await using engine = await startEngine()
    await using proxy = await NetworkProxy.start({ target: engine.address })
    const client = new Client(proxy.address)
    const sent = Array.from({ length: 5000 }, (_, i) => `line ${i} ${'x'.repeat(i % 300)}`)
    for (const line of sent) client.say(line)
    await client.hears('5000 line 4999')
    assert.deepEqual(engine.lines, sent)
    client.socket.end()
    assert.equal(await client.ended, 'closed')
    assert.equal(proxy.connections.open, 0)
  })

  it('delivers late, and nothing overtakes what was sent before when the delay ends', async () => {
    await using engine = await startEngine()
    await using proxy = await NetworkProxy.start({ target: engine.address })
    const client = new Client(proxy.address)
    client.say('warm')
    await client.hears('1 warm')
    proxy.set({ kind: 'delay', delayMs: 60 })
    const began = performance.now()
    client.say('first')
    await sleep(10)
    proxy.set({ kind: 'pass' })
    client.say('second')
    await client.hears('3 second')
    assert.ok(performance.now() - began >= 59)
    assert.deepEqual(engine.lines, ['warm', 'first', 'second'])
  })

  it('cuts every connection once, and serves new ones', async () => {
    await using engine = await startEngine()
    await using proxy = await NetworkProxy.start({ target: engine.address })
    const clients = [new Client(proxy.address), new Client(proxy.address)]
    for (const client of clients) client.say('x')
    for (const client of clients) await client.hears(' x')
    proxy.cut()
    for (const client of clients) assert.equal(await client.ended, 'ECONNRESET')
    const next = new Client(proxy.address)
    next.say('again')
    await next.hears('3 again')
  })

  it('refuses connections until it is told to pass', async () => {
    await using engine = await startEngine()
    await using proxy = await NetworkProxy.start({ target: engine.address })
    const before = new Client(proxy.address)
    before.say('x')
    await before.hears('1 x')
    proxy.set({ kind: 'refuse' })
    assert.equal(await before.ended, 'ECONNRESET')
    const refused = new Client(proxy.address)
    refused.say('never')
    await refused.ended
    proxy.set({ kind: 'pass' })
    const after = new Client(proxy.address)
    after.say('y')
    await after.hears('2 y')
    assert.deepEqual(engine.lines, ['x', 'y'])
  })

  it('hangs: requests do not reach the engine until it passes again, on the same connection', async () => {
    await using engine = await startEngine()
    await using proxy = await NetworkProxy.start({ target: engine.address })
    const client = new Client(proxy.address)
    client.say('x')
    await client.hears('1 x')
    proxy.set({ kind: 'hang' })
    client.say('y')
    const late = new Client(proxy.address)
    late.say('z')
    await sleep(50)
    assert.deepEqual(engine.lines, ['x'])
    proxy.set({ kind: 'pass' })
    await client.hears(' y')
    await late.hears(' z')
    assert.equal(proxy.connections.accepted, 2)
  })

  it('leaves connections in silence for good, and serves new ones', async () => {
    await using engine = await startEngine()
    await using proxy = await NetworkProxy.start({ target: engine.address })
    const stranded = new Client(proxy.address)
    stranded.say('x')
    await stranded.hears('1 x')
    proxy.strand()
    stranded.say('never')
    const next = new Client(proxy.address)
    next.say('y')
    await next.hears('2 y')
    proxy.set({ kind: 'pass' })
    await sleep(20)
    assert.deepEqual(engine.lines, ['x', 'y'])
  })

  it('swallows answers while requests take effect, and cuts those that missed one when it passes again', async () => {
    await using engine = await startEngine()
    await using proxy = await NetworkProxy.start({ target: engine.address })
    const [missing, idle] = [new Client(proxy.address), new Client(proxy.address)]
    for (const client of [missing, idle]) client.say('x')
    for (const client of [missing, idle]) await client.hears(' x')
    proxy.set({ kind: 'swallow' })
    missing.say('pay')
    await until(() => engine.lines.includes('pay'))
    await sleep(20)
    assert.ok(!missing.received.includes('pay'))
    proxy.set({ kind: 'pass' })
    assert.equal(await missing.ended, 'ECONNRESET')
    idle.say('still here')
    await idle.hears('still here')
  })

  it('loses a share of the answers by its seed, and what was asked has taken effect', async () => {
    const losses = async (seed: number) => {
      await using engine = await startEngine()
      await using proxy = await NetworkProxy.start({ target: engine.address, seed })
      proxy.set({ kind: 'lossy', share: 0.3 })
      let lost = ''
      for (let i = 0; i < 40; i++) {
        const client = new Client(proxy.address)
        client.say(`do ${i}`)
        await until(() => client.received !== '' || client.socket.destroyed)
        lost += client.received === '' ? 'x' : '.'
        client.socket.destroy()
        await client.ended
      }
      assert.equal(engine.lines.length, 40)
      return lost
    }
    const first = await losses(7)
    assert.equal(await losses(7), first)
    assert.notEqual(await losses(8), first)
    const count = first.split('x').length - 1
    assert.ok(count > 4 && count < 25, `${count} of 40 lost`)
  })

  it('tells the client when the engine is not there', async () => {
    const engine = await startEngine()
    await engine[Symbol.asyncDispose]()
    await using proxy = await NetworkProxy.start({ target: engine.address })
    const client = new Client(proxy.address)
    client.say('x')
    assert.equal(await client.ended, 'ECONNRESET')
  })

  it('ends the connection when the engine does, after all it has said', async () => {
    await using engine = await startEngine()
    await using proxy = await NetworkProxy.start({ target: engine.address })
    const client = new Client(proxy.address)
    client.say('x')
    await client.hears('1 x')
    for (const socket of engine.sockets) socket.end('bye\n')
    assert.equal(await client.ended, 'closed')
    assert.match(client.received, /bye/)
  })
})
