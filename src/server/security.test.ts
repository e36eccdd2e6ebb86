import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type OperationName, paths } from './api/paths.ts'
import type { Route } from './api/route.ts'
import { routes } from './api/routes.ts'
import { problem as problemSchema } from './api/schemas/problem.ts'
import { servedWeb } from './server.fixture.ts'

const tokens = { viewer: 'v'.repeat(20), operator: 'o'.repeat(20), admin: 'a'.repeat(20) }

function scratch(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'orbweaver-server-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

function tokenFile(folder: string): string {
  const file = join(folder, 'tokens')
  const hash = createHash('sha256').update(tokens.admin).digest('hex')
  writeFileSync(
    file,
    `# who may\nviewer vera ${tokens.viewer}\noperator otto ${tokens.operator}\nadmin ada sha256:${hash}\n`,
  )
  return file
}

const json = { 'content-type': 'application/json' }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Asks with headers that `fetch` would not let us set. */
function ask(url: string, method: string, headers: Record<string, string>, body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

test('each operation asks for its role, and says so in a problem document', async () => {
  using folder = scratch()
  await using served = await servedWeb({
    settings: { 'server.tokenFile': tokenFile(folder.path), 'server.requestsPerSecond': 10_000 },
  })
  const ranks = ['viewer', 'operator', 'admin'] as const
  for (const name of Object.keys(paths) as OperationName[]) {
    const { role }: Route = routes[name]
    const [method, path] = paths[name].split(' ') as [string, string]
    const url = served.server.url + path.replaceAll(/\{\w+\}/g, 'none')
    // Without a type of content: nothing is done, whoever asks.
    for (const [given, headers] of [
      ['nobody', {}],
      ['stranger', bearer('x'.repeat(20))],
      ...ranks.map((rank) => [rank, bearer(tokens[rank])] as const),
    ] as const) {
      const response = await fetch(url, { method, headers })
      const body = await response.text()
      if (!response.ok) {
        assert.equal(response.headers.get('content-type'), 'application/problem+json', `${name} for ${given}`)
        const document = problemSchema.parse(JSON.parse(body))
        assert.equal(document.status, response.status)
      }
      const rank = ranks.indexOf(given as 'viewer')
      if (role === null) assert.ok(response.status < 400, `${name} is open`)
      else if (rank < 0) assert.equal(response.status, 401, `${name} for ${given}`)
      else if (rank < ranks.indexOf(role)) assert.equal(response.status, 403, `${name} for ${given}`)
      else assert.ok(![401, 403].includes(response.status), `${name} for ${given}: ${response.status}`)
    }
  }
  for (const path of ['/v1/events', '/metrics']) {
    assert.equal((await fetch(served.server.url + path)).status, 401)
    const response = await fetch(served.server.url + path, { headers: bearer(tokens.viewer) })
    assert.equal(response.status, 200)
    await response.body!.cancel()
  }
  assert.equal((await fetch(`${served.server.url}/`)).status, 200, 'the dashboard itself asks for the token')
})

test('every action is written down with who did it, also when it was refused', async () => {
  using folder = scratch()
  const auditFile = join(folder.path, 'audit.jsonl')
  await using served = await servedWeb({
    settings: { 'server.tokenFile': tokenFile(folder.path), 'server.auditFile': auditFile },
    token: tokens.operator,
  })
  await served.client.blockHost({ params: { pattern: 'bad.test' } })
  await assert.rejects(served.client.pauseCrawl({ params: { crawl: 'none' } }))
  const lines = readFileSync(auditFile, 'utf8').trim().split('\n')
  assert.deepEqual(
    lines
      .map((line) => JSON.parse(line))
      .map(({ who, role, action, target, status }) => [who, role, action, target, status]),
    [
      ['otto', 'operator', 'blockHost', 'bad.test', 200],
      ['otto', 'operator', 'pauseCrawl', 'none', 404],
    ],
  )
})

test('an address that others can reach needs a token', async () => {
  for (const listen of ['0.0.0.0:0', '[::]:0', '192.168.0.1:0'])
    await assert.rejects(servedWeb({ settings: { 'server.listen': listen } }), /can be reached by others/)
})

test('a token file that is not sound is refused, naming the line', async () => {
  using folder = scratch()
  const file = join(folder.path, 'tokens')
  for (const [text, fault] of [
    ['', /holds no token/],
    ['short', /at least 16/],
    [`king arthur ${'x'.repeat(20)}`, /ROLE NAME TOKEN/],
    [`admin ${'x'.repeat(20)}`, /ROLE NAME TOKEN/],
    ['admin ada sha256:12', /64 hexadecimal/],
  ] as const) {
    writeFileSync(file, text)
    await assert.rejects(servedWeb({ settings: { 'server.tokenFile': file } }), fault)
  }
})

test('a page of another site can neither change nor read anything', async () => {
  await using served = await servedWeb()
  const { url } = served.server
  const action = `${url}/v1/host-settings/a.test/block`
  assert.equal(await ask(action, 'POST', { 'content-type': 'text/plain' }, '{}'), 415)
  assert.equal(await ask(action, 'POST', { 'content-type': 'application/x-www-form-urlencoded' }), 415)
  assert.equal(await ask(action, 'POST', {}), 415)
  assert.equal(await ask(action, 'POST', { ...json, origin: 'https://evil.test' }), 403)
  assert.equal(await ask(action, 'POST', { ...json, origin: 'null' }), 403)
  assert.equal(await ask(action, 'POST', { ...json, 'sec-fetch-site': 'cross-site' }), 403)
  assert.equal(await ask(action, 'POST', { ...json, origin: url }), 200)
  const foreign = await fetch(`${url}/v1/crawls`, { headers: { origin: 'https://evil.test' } })
  assert.equal(foreign.headers.get('access-control-allow-origin'), null)
  assert.equal(foreign.headers.get('cross-origin-resource-policy'), 'same-origin')
  assert.equal(await ask(`${url}/v1/crawls`, 'OPTIONS', { origin: 'https://evil.test' }), 405)
})

test('a name that leads to this machine by a trick (DNS rebinding) is not answered', async () => {
  await using served = await servedWeb({ settings: { 'server.allowedHosts': ['crawler.internal'] } })
  const { url } = served.server
  assert.equal(await ask(`${url}/v1/crawls`, 'GET', { host: 'evil.test' }), 421)
  assert.equal(await ask(`${url}/`, 'GET', { host: 'evil.test:7070' }), 421)
  for (const host of ['localhost:1', '127.0.0.1', '[::1]:7070', 'crawler.internal'])
    assert.equal(await ask(`${url}/v1/crawls`, 'GET', { host }), 200, host)
})

test('an origin that the settings name may use the API from its pages', async () => {
  const origin = 'https://ops.test'
  await using served = await servedWeb({ settings: { 'server.allowedOrigins': [origin] } })
  const action = `${served.server.url}/v1/host-settings/a.test/block`
  assert.equal(await ask(action, 'OPTIONS', { origin }), 204)
  assert.equal(await ask(action, 'POST', { ...json, origin }), 200)
})

test('answers cannot be framed, sniffed, cached or run', async () => {
  await using served = await servedWeb()
  for (const path of ['/v1/crawls', '/healthz', '/v1/none', '/v1/openapi.json', '/']) {
    const { headers } = await fetch(served.server.url + path)
    assert.match(headers.get('content-security-policy')!, /default-src 'none'/, path)
    assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'/, path)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }
})

test('bodies, rates and pages have limits', async () => {
  await using served = await servedWeb({ settings: { 'server.requestsPerSecond': 20 } })
  const { url } = served.server
  const large = JSON.stringify({ seeds: ['a.test'], settings: { note: 'x'.repeat(2_000_000) } })
  const posted = await fetch(`${url}/v1/crawls`, { method: 'POST', headers: json, body: large })
  assert.equal(posted.status, 413)
  assert.equal((await fetch(`${url}/v1/crawls?limit=100000`)).status, 400)
  const answers = await Promise.all(Array.from({ length: 60 }, () => fetch(`${url}/healthz`)))
  const refused = answers.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0)
  assert.ok(refused.every(({ headers }) => headers.get('retry-after') === '1'))
  assert.ok(answers.filter(({ status }) => status === 200).length >= 20)
})

test('secrets of the settings are not shown', async () => {
  await using served = await servedWeb({
    settings: {
      'engines.redis.url': 'redis://user:hunter2@127.0.0.1:6379',
      'engines.redis.password': 'hunter2',
      'engines.opensearch.urls': ['http://user:hunter2@127.0.0.1:9200'],
      'engines.s3.secretAccessKey': 'hunter2',
    },
  })
  const { settings } = await served.client.getConfiguration()
  assert.ok(settings.length > 50)
  assert.doesNotMatch(JSON.stringify(settings), /hunter2/)
  assert.match(JSON.stringify(settings), /redis:\/\/••••@127\.0\.0\.1:6379/)
})
