import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { systemClock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import { type OpenSearchConfig, openSearchConfig } from './config.ts'
import { checkVersion, connectOpenSearch } from './connect.ts'
import { openFaultProxy } from './fault-proxy.fixture.ts'
import { openSearchForTests, testConfig } from './test-engine.ts'

const connect = (changes: Partial<OpenSearchConfig>) =>
  connectOpenSearch(openSearchConfig.parse(changes), systemClock())

/** A server that answers every request so, and what it was asked. */
async function answering(t: TestContext, status: number, body: string) {
  const asked: { path: string; authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    asked.push({ path: request.url!, authorization: request.headers.authorization })
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const root = (number: string, distribution?: string) => JSON.stringify({ version: { number, distribution } })

async function fault(changes: Partial<OpenSearchConfig>): Promise<string> {
  const error = await connect(changes).then(
    () => assert.fail('it connected'),
    (error: Error) => error,
  )
  assert.ok(error instanceof UsageError, String(error))
  return error.message
}

describe('connecting to OpenSearch: one sentence for each fault', () => {
  test('nothing is named', async () => {
    assert.match(await fault({}), /^No OpenSearch is named: set engines\.opensearch\.urls\.$/)
  })

  test('the address is none', async () => {
    assert.match(await fault({ urls: ['localhost:9200'] }), /is no address of OpenSearch/)
  })

  test('nobody listens there', async (t) => {
    const { url } = await answering(t, 200, '')
    const nobody = url.replace(/\d+$/, '1')
    assert.match(
      await fault({ urls: [nobody] }),
      /^OpenSearch at http:\/\/127\.0\.0\.1:1 cannot be reached: connection refused\.$/,
    )
  })

  test('the password is wrong', async (t) => {
    const { url } = await answering(t, 401, '{}')
    assert.match(await fault({ urls: [url], user: 'u' }), /does not accept the user or key/)
  })

  test('the user may do nothing', async (t) => {
    const { url } = await answering(t, 403, '{}')
    assert.match(await fault({ urls: [url], user: 'reader' }), /^The user reader may not do this/)
  })

  test('something else listens there', async (t) => {
    const { url } = await answering(t, 200, '<html>')
    assert.match(await fault({ urls: [url] }), /neither OpenSearch nor Elasticsearch/)
  })

  test('it is too old', async (t) => {
    const old = await answering(t, 200, root('7.17.0'))
    assert.match(await fault({ urls: [old.url] }), /^Elasticsearch 7\.17\.0 at .* is too old: 8 or newer is needed\.$/)
    const older = await answering(t, 200, root('1.3.0', 'opensearch'))
    assert.match(await fault({ urls: [older.url] }), /^OpenSearch 1\.3\.0 at .* is too old: 2 or newer/)
  })

  test('TLS is asked for where there is none', async (t) => {
    const { url } = await answering(t, 200, root('3.0.0', 'opensearch'))
    assert.match(await fault({ urls: [url.replace('http:', 'https:')] }), /it does not speak TLS: use http:\/\//)
  })

  test('a file with a secret cannot be read', async () => {
    assert.match(
      await fault({ urls: ['http://127.0.0.1:1'], passwordFile: '/nowhere/secret', user: 'u' }),
      /cannot be read/,
    )
  })

  test('no sentence holds a secret', async () => {
    const message = await fault({ urls: ['http://user:hidden@127.0.0.1:1'] })
    assert.doesNotMatch(message, /hidden/)
  })
})

describe('connecting to OpenSearch', () => {
  test('user and password come from the settings, from a file or from the address', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-test-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'secret'), 'p:w\n')
    const { url, asked } = await answering(t, 200, root('8.15.0'))
    const expected = `Basic ${Buffer.from('u:p:w').toString('base64')}`
    const passwordFile = join(folder, 'secret')
    await using _a = await connect({ urls: [url], user: 'u', password: 'p:w' })
    await using _b = await connect({ urls: [url], user: 'u', passwordFile })
    await using _c = await connect({ urls: [url.replace('//', '//u:p%3Aw@')] })
    assert.deepEqual([...new Set(asked.map(({ authorization }) => authorization))], [expected])
    await using _d = await connect({ urls: [url], apiKey: 'a2V5' })
    assert.equal(asked.at(-1)?.authorization, 'ApiKey a2V5')
  })

  test('an address may have a path before those of the engine', async (t) => {
    const { url, asked } = await answering(t, 200, root('3.8.0', 'opensearch'))
    await using _engine = await connect({ urls: [`${url}/search/`] })
    assert.deepEqual(
      asked.map(({ path }) => path),
      ['/search/', '/search/_bulk?require_alias=true'],
    )
  })

  test('a node that is away is passed over while another answers', async (t) => {
    const { url, asked } = await answering(t, 200, root('3.8.0', 'opensearch'))
    await using engine = await connect({ urls: ['http://127.0.0.1:1', url] })
    for (let i = 0; i < 4; i++) await engine.ask({ method: 'GET', path: '/' })
    assert.equal(asked.length, 6)
  })

  test('the real engine is told by name and version', { skip: openSearchForTests.skip }, async () => {
    await using engine = await connectOpenSearch(testConfig(), systemClock())
    assert.match(await checkVersion(engine), /^(OpenSearch|Elasticsearch) \d+\.\d+/)
    const { status } = await engine.ask({ method: 'HEAD', path: `/${engine.config.prefix}.permission-check` })
    assert.equal(status, 404)
  })

  test('an engine that lets us read but not write is told of', { skip: openSearchForTests.skip }, async () => {
    await using proxy = await openFaultProxy(openSearchForTests.url!)
    const items = [{ delete: { status: 403, error: { type: 'security_exception' } } }]
    proxy.fault = (line) => (line.includes('_bulk') ? { status: 200, body: { errors: true, items } } : undefined)
    await assert.rejects(
      connectOpenSearch(testConfig({ urls: [proxy.url] }), systemClock()),
      /needs to create, read and write indexes/,
    )
  })
})
