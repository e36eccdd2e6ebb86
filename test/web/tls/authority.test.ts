import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { connect as connectHttp2 } from 'node:http2'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { get } from '../get.ts'
import { startTestWeb, type TestWeb } from '../web.ts'

const hosts = [
  { character: 'polite', name: 'secure', pages: 3, https: true },
  { character: 'tls-broken', name: 'bad', count: 3, https: true },
] as const

test('node:https accepts a host’s certificate with the authority, and refuses it without', async () => {
  await using web = await startTestWeb({ hosts })
  assert.equal((await get(web, web.seeds[0]!)).status, 200)
  const { caCertificate } = web
  await assert.rejects(get({ ...web, caCertificate: '' }, web.seeds[0]!), { code: /UNABLE_TO_VERIFY|SELF_SIGNED/ })
  assert.ok(new X509Certificate(caCertificate).ca)
})

test('expired, misnamed and self-signed certificates are refused, each for its own reason', async () => {
  await using web = await startTestWeb({ hosts })
  await assert.rejects(get(web, web.seeds[1]!), { code: 'CERT_HAS_EXPIRED' })
  await assert.rejects(get(web, web.seeds[2]!), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  await assert.rejects(get(web, web.seeds[3]!), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  assert.deepEqual(web.requests, [])
})

test('the same page comes over HTTP/2 to those who offer it', async () => {
  await using web = await startTestWeb({ hosts })
  const session = connectHttp2(web.hosts[0]!.origin, { createConnection: () => tlsTo(web, ['h2']) })
  const stream = session.request({ ':path': '/' })
  const body = await text(stream.setEncoding('utf8'))
  session.destroy()
  assert.equal(body, (await get(web, web.seeds[0]!)).body.toString())
  assert.deepEqual(
    web.requests.map(({ protocol, status }) => [protocol, status]),
    [
      ['h2', 200],
      ['http/1.1', 200],
    ],
  )
})

function tlsTo(web: TestWeb, ALPNProtocols: string[]): TLSSocket {
  const { name, address } = web.hosts[0]!
  return connect({ host: address, port: web.httpsPort, servername: name, ca: web.caCertificate, ALPNProtocols })
}
