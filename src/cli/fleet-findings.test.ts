import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePorts } from '../../scripts/engines/free-ports.ts'
import { orbweaver } from '../../test/cli/orbweaver.ts'
import { ownEngine, startRedis, startS3 } from '../../test/engines.ts'
import { loadConfig, type Tree } from '../config/load.ts'
import { makeCertificates } from '../engines/certificates.fixture.ts'
import { connectTo } from '../engines/redis/test-redis.ts'
import { fleetFindings } from './fleet-findings.ts'

/** Every secret in these tests begins so. */
const secret = 'Hidden'

/** A server that takes every call and says nothing. */
async function startSilent() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    place: `127.0.0.1:${(server.address() as { port: number }).port}`,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const findingsOf = (engines: Tree) => fleetFindings(loadConfig({ base: { engines } }).config)

test('engines that take a call and say nothing are each told of in one sentence, within seconds', async () => {
  using silent = await startSilent()
  const findings = await findingsOf({
    redis: { url: `redis://:${secret}@${silent.place}` },
    opensearch: { urls: [`http://u:${secret}@${silent.place}`] },
    s3: { endpoint: `http://u:${secret}@${silent.place}`, bucket: 'pages' },
    kafka: { brokers: [silent.place] },
  })
  assert.deepEqual(
    findings.map(({ what, level }) => [what, level]),
    ['redis', 'opensearch', 's3', 'kafka'].map((what) => [what, 'bad']),
  )
  for (const { says } of findings) {
    assert.match(says, /not answer|no answer|timed out/)
    assert.match(says, /^[^\n]*[^.]\.$/)
    assert.doesNotMatch(says, new RegExp(secret))
  }
})

test('neither doctor nor a crawl shows secrets or stacks, whether they are right or wrong', async (t) => {
  using certificates = makeCertificates()
  const { caFile, certificateFile, keyFile, folder } = certificates
  const [tlsPort] = await freePorts(1)
  const password = `${secret}-password`
  const tls = ['--tls-port', `${tlsPort}`, '--tls-auth-clients', 'no', '--tls-ca-cert-file', caFile]
  const settings = [...tls, '--tls-cert-file', certificateFile, '--tls-key-file', keyFile, '--requirepass', password]
  await using redis = await ownEngine(t, () => startRedis({ settings }))
  if (!redis) return
  await using s3 = await ownEngine(t, () => startS3({ tls: certificates, buckets: ['pages'] }))
  if (!s3) return
  const file = (name: string, engines: Tree) => {
    const path = join(folder, name)
    writeFileSync(path, JSON.stringify({ engines }))
    return path
  }
  const right = {
    redis: { url: `rediss://127.0.0.1:${tlsPort}`, caFile, password },
    opensearch: { urls: [`https://u:${secret}@127.0.0.1:1`] },
    s3: { endpoint: s3.url, caFile, bucket: 'pages', forcePathStyle: true },
    kafka: { brokers: ['127.0.0.1:1'], saslMechanism: 'PLAIN', user: 'u', password: `${secret}-kafka` },
  }
  const wrong = {
    ...right,
    redis: { ...right.redis, password: `${secret}-guess` },
    s3: { ...right.s3, endpoint: s3.url.replace(':testtest', `:${secret}`) },
  }
  const wrongFile = file('wrong.json', wrong)
  const [good, bad, crawl] = await Promise.all([
    orbweaver(['doctor', '--json', '--config', file('right.json', right)]),
    orbweaver(['doctor', '--json', '--config', wrongFile]),
    orbweaver(['crawl', 'http://127.0.0.1:1/', '--config', wrongFile]),
  ])
  const levels = ({ json }: typeof good) => new Map(json().map(({ what, level }) => [what, level]))
  assert.deepEqual([levels(good).get('redis'), levels(good).get('s3')], ['ok', 'ok'])
  assert.deepEqual([levels(bad).get('redis'), levels(bad).get('s3')], ['bad', 'bad'])
  assert.deepEqual([bad.code, crawl.code], [1, 2])
  assert.match(crawl.err, /it refuses user or password \(engines\.redis\.user, \.password, \.passwordFile\)\.\s*$/)
  for (const { out, err } of [good, bad, crawl]) {
    assert.doesNotMatch(out + err, new RegExp(`${secret}|testtest`))
    assert.doesNotMatch(out + err, /^\s+at .*:\d+/m)
  }
})

test('a Redis that throws away, is full, or belongs to a fleet with other settings is told of', async (t) => {
  const settings = ['--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru']
  await using redis = await ownEngine(t, () => startRedis({ settings }))
  if (!redis) return
  const client = await connectTo(t, redis.url)
  await client.mset('orbweaver:shards', '32', 'orbweaver:places', 'engines.opensearch.prefix "other" and no engines.s3')
  const said = async () =>
    (await findingsOf({ redis: { url: redis.url } })).filter(({ level }) => level === 'bad').map(({ says }) => says)
  const [eviction, shards, places] = await said()
  assert.match(eviction!, /maxmemory-policy is allkeys-lru/)
  assert.match(shards!, /was begun with 32 shards/)
  assert.match(places!, /keeps its pages by engines\.opensearch\.prefix "other" and no engines\.s3/)
  await client.config('SET', 'maxmemory-policy', 'noeviction')
  await client.config('SET', 'maxmemory', '1mb')
  assert.match((await said())[0]!, /its memory is full/)
})
