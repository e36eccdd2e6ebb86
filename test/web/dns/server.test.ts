import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { test } from 'node:test'
import { startTestWeb } from '../web.ts'
import { decodeQuestion } from './message.ts'

const hosts = [
  { character: 'polite', name: 'shop', count: 20, pages: 1, ttlSeconds: 77 },
  { character: 'unreachable', name: 'failed', kinds: ['failed'] },
  { character: 'unreachable', name: 'silent', kinds: ['silent'] },
  { character: 'unreachable', name: 'private', kinds: ['private'] },
] as const

function resolverOf(dns: string): Resolver {
  const resolver = new Resolver({ timeout: 100, tries: 1 })
  resolver.setServers([dns])
  return resolver
}

test('node’s resolver finds every host at an address of its own, with its time to live', async () => {
  await using web = await startTestWeb({ hosts })
  const resolver = resolverOf(web.dns)
  const answers = await resolver.resolve4('shop-17.test', { ttl: true })
  assert.deepEqual(answers, [{ address: web.hosts[16]!.address, ttl: 77 }])
  const addresses = await Promise.all(web.hosts.slice(0, 20).map(({ name }) => resolver.resolve4(name)))
  assert.equal(new Set(addresses.flat()).size, 20)
  assert.equal(web.dnsQueries.get('shop-17.test'), 2)
})

test('names are found whatever their case', async () => {
  await using web = await startTestWeb({ hosts })
  assert.equal((await resolverOf(web.dns).resolve4('SHOP-1.Test')).length, 1)
})

test('a host has no IPv6 address, which is not the same as not existing', async () => {
  await using web = await startTestWeb({ hosts })
  await assert.rejects(resolverOf(web.dns).resolve6('shop-1.test'), { code: 'ENODATA' })
})

test('unknown names do not exist, broken ones fail, silent ones time out, private ones lead astray', async () => {
  await using web = await startTestWeb({ hosts })
  const resolver = resolverOf(web.dns)
  await assert.rejects(resolver.resolve4('nobody.test'), { code: 'ENOTFOUND' })
  await assert.rejects(resolver.resolve4('failed.test'), { code: 'ESERVFAIL' })
  await assert.rejects(resolver.resolve4('silent.test'), { code: 'ETIMEOUT' })
  assert.deepEqual(await resolver.resolve4('private.test'), ['10.255.255.1'])
})

test('packets that are no question are passed over', async () => {
  await using web = await startTestWeb({ hosts })
  const socket = createSocket('udp4')
  const port = Number(web.dns.split(':')[1])
  for (const packet of [Buffer.alloc(1), Buffer.alloc(17, 0xff), Buffer.from('GET / HTTP/1.1\r\n\r\n')])
    socket.send(packet, port, '127.0.0.1')
  assert.equal((await resolverOf(web.dns).resolve4('shop-1.test')).length, 1)
  socket.close()
  await once(socket, 'close')
})

test('a question cut short anywhere is not understood, and does not throw', () => {
  const question = Buffer.from('123401000001000000000000047368 6f7004746573740000010001'.replaceAll(' ', ''), 'hex')
  assert.equal(decodeQuestion(question)?.name, 'shop.test')
  for (let length = 0; length < question.length; length++)
    assert.equal(decodeQuestion(question.subarray(0, length)), undefined)
})
