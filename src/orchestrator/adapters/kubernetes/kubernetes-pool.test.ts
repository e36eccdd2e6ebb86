import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createAuthority } from '../../../../test/web/tls/authority.ts'
import { kubernetesPool, mountedAccount } from './kubernetes-pool.ts'

const scalePath = '/apis/apps/v1/namespaces/crawl/deployments/orbweaver-worker/scale'

/** As much of an API server as a pool may ask, which refuses everything else. */
async function startApi() {
  const authority = createAuthority(Date.now())
  const asked: string[] = []
  const api = {
    replicas: 2,
    token: 'first',
    asked,
    ca: authority.certificate,
    server: '',
    pods: ['orbweaver-worker-7d-x'],
  }
  const server = createServer(
    { SNICallback: (host, done) => done(null, authority.contextOf(host, 'good')) },
    async (request, response) => {
      const { method, url, headers } = request
      const answer = (status: number, value: object) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      }
      const body = await text(request)
      asked.push(`${method} ${url} ${body}`.trim())
      if (headers.authorization !== `Bearer ${api.token}`) return answer(401, { message: 'Unauthorized' })
      if (method === 'GET' && url === scalePath) return answer(200, { spec: { replicas: api.replicas } })
      if (method === 'PATCH' && url === scalePath && headers['content-type'] === 'application/merge-patch+json') {
        api.replicas = JSON.parse(body).spec.replicas
        return answer(200, { spec: { replicas: api.replicas } })
      }
      if (method === 'DELETE') {
        const pod = /^\/api\/v1\/namespaces\/crawl\/pods\/([^/?]+)\?gracePeriodSeconds=0$/.exec(url!)?.[1]
        const known = pod !== undefined && api.pods.includes(pod)
        api.pods = api.pods.filter((one) => one !== pod)
        return answer(known ? 200 : 404, { kind: 'Status', message: known ? '' : 'not found' })
      }
      return answer(403, { message: 'deployments.apps "x" is forbidden' })
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  api.server = `https://localhost:${(server.address() as AddressInfo).port}`
  return {
    api,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Api = Awaited<ReturnType<typeof startApi>>['api']

const poolOver = (api: Api, deployment = 'orbweaver-worker') =>
  kubernetesPool({
    account: { server: api.server, token: () => api.token, ca: api.ca, namespace: 'crawl' },
    deployment,
  })

test('a deployment is scaled by its scale, and only when its number is another', async () => {
  await using started = await startApi()
  const { api } = started
  await using pool = poolOver(api)
  assert.equal(await pool.size(), 2)
  await pool.scaleTo(5)
  assert.equal(api.replicas, 5)
  api.asked.length = 0
  await pool.scaleTo(5)
  assert.deepEqual(api.asked, [`GET ${scalePath}`])
})

test('a token that was renewed is used at once', async () => {
  await using started = await startApi()
  const { api } = started
  await using pool = poolOver(api)
  await pool.size()
  api.token = 'second'
  assert.equal(await pool.size(), 2)
})

test('a sick pod is deleted without grace; one that is gone already is no fault', async () => {
  await using started = await startApi()
  const { api } = started
  await using pool = poolOver(api)
  const sick = { id: 'any', host: 'orbweaver-worker-7d-x' }
  assert.ok(pool.owns(sick))
  assert.equal(pool.owns({ id: 'any', host: 'my-laptop' }), false)
  await pool.replace(sick)
  assert.deepEqual(api.pods, [])
  await pool.replace(sick)
})

test('a refusal is told in one sentence that says what to allow', async () => {
  await using started = await startApi()
  await using pool = poolOver(started.api, 'another')
  await assert.rejects(pool.scaleTo(3), /refuses GET .* with 403: .*forbidden.* Let its service account get and patch/)
})

test('a server whose certificate the cluster did not issue is not spoken to', async () => {
  await using started = await startApi()
  await using pool = poolOver({ ...started.api, ca: createAuthority(Date.now()).certificate })
  await assert.rejects(pool.size())
  assert.deepEqual(started.api.asked, [])
})

test('outside a pod the setting is refused with a reason, inside the mounted account is read', () => {
  assert.throws(() => mountedAccount({}), /works inside a pod .*KUBERNETES_SERVICE_HOST/)
  const folder = mkdtempSync(join(tmpdir(), 'account-'))
  try {
    for (const [name, value] of [
      ['token', 't\n'],
      ['ca.crt', 'c'],
      ['namespace', 'crawl'],
    ])
      writeFileSync(join(folder, name!), value!)
    const account = mountedAccount({ KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' }, folder)
    assert.equal(account.server, 'https://[fd00::1]:6443')
    assert.equal(account.token(), 't')
    assert.equal(account.namespace, 'crawl')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
