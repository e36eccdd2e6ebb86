import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { systemClock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import { type Certificates, makeCertificates } from '../certificates.fixture.ts'
import type { OpenSearchConfig } from './config.ts'
import { checkVersion, connectOpenSearch } from './connect.ts'
import { openSearchForTests, testConfig } from './test-engine.ts'

/** Stands before the engine as its security plugin, or a service in a cloud, does: TLS, and nobody without a name. */
async function startGuard({ certificateFile, keyFile }: Certificates, allowed: readonly string[]) {
  const engine = new URL(openSearchForTests.url!)
  const tls = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) }
  const server = createServer(tls, (asked, answer) => {
    if (!allowed.includes(asked.headers.authorization ?? '')) return answer.writeHead(401).end('Unauthorized')
    const { authorization: _, ...headers } = asked.headers
    const onward = request({ host: engine.hostname, port: engine.port, method: asked.method, path: asked.url, headers })
    onward.on('response', (inner) => inner.pipe(answer.writeHead(inner.statusCode!, inner.headers)))
    asked.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

test('OpenSearch by TLS, for those it knows by password or key', { skip: openSearchForTests.skip }, async () => {
  using certificates = makeCertificates()
  const { caFile, strangeCaFile, folder } = certificates
  const password = 'Hidden:p/w'
  const apiKey = Buffer.from('id:Hidden').toString('base64')
  await using guard = await startGuard(certificates, [basic('crawler', password), `ApiKey ${apiKey}`])
  const { url } = guard
  const secretFile = join(folder, 'secret')

  const works = async (changes: Partial<OpenSearchConfig>) => {
    await using engine = await connectOpenSearch(testConfig({ urls: [url], caFile, ...changes }), systemClock())
    assert.match(await checkVersion(engine), /^(OpenSearch|Elasticsearch) \d+/)
  }
  await works({ user: 'crawler', password })
  await works({ urls: [url.replace('//', `//crawler:${encodeURIComponent(password)}@`)] })
  writeFileSync(secretFile, `${password}\n`)
  await works({ user: 'crawler', passwordFile: secretFile })
  await works({ apiKey })
  writeFileSync(secretFile, `${apiKey}\n`)
  await works({ apiKeyFile: secretFile })

  const fails = async (changes: Partial<OpenSearchConfig>, sentence: RegExp) => {
    const config = testConfig({ urls: [url], caFile, user: 'crawler', password, ...changes })
    await assert.rejects(connectOpenSearch(config, systemClock()), (error: Error) => {
      assert.ok(error instanceof UsageError, String(error))
      assert.match(error.message, sentence)
      assert.match(error.message, /^[^\n]*[^.]\.$/)
      const shown = inspect(error, { depth: 20, showHidden: true })
      for (const secret of ['Hidden', apiKey, basic('crawler', password)]) assert.ok(!shown.includes(secret), shown)
      return true
    })
  }
  const refused = /does not accept the user or key \(engines\.opensearch\.user, \.password, \.apiKey\)\.$/
  await fails({ password: 'Hidden-guess' }, refused)
  await fails({ user: 'nobody' }, refused)
  await fails({ user: '', password: '' }, refused)
  await fails({ apiKey: 'SGlkZGVu' }, refused)
  const untrusted = /its certificate is not trusted \(name its authority in engines\.opensearch\.caFile\)\.$/
  await fails({ caFile: strangeCaFile }, untrusted)
  await fails({ caFile: '' }, untrusted)
  await fails({ caFile: '/nowhere/ca.pem' }, /^engines\.opensearch\.caFile cannot be read: ENOENT/)
  await fails({ caFile: '/dev/null' }, /^engines\.opensearch\.caFile holds no certificate in PEM/)
  await fails({ passwordFile: '/nowhere/secret' }, /^engines\.opensearch\.passwordFile cannot be read: ENOENT/)
  await fails({ urls: [url.replace('127.0.0.1', '127.0.0.1.nip.invalid')] }, /cannot be reached: its name /)
  await fails({ urls: [url.replace('https', 'http')] }, /it may want https:\/\//)
  await fails(
    { urls: [url.replace('//', '//crawler:Hidden%@')], user: '', password: '' },
    /^engines\.opensearch\.urls has a "%"/,
  )
})
