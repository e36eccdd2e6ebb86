import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import { Redis } from 'ioredis'
import { freePorts } from '../../../scripts/engines/free-ports.ts'
import { ownEngine, startRedis } from '../../../test/engines.ts'
import { UsageError } from '../../config/usage-error.ts'
import { RedisFrontier } from '../../frontier/adapters/redis/redis-frontier.ts'
import { testFleet } from '../../frontier/adapters/redis/test-redis-frontier.ts'
import type { Candidate } from '../../frontier/frontier.ts'
import type { CanonicalUrl, HostKey } from '../../url/keys.ts'
import { type Certificates, makeCertificates } from '../certificates.fixture.ts'
import { redisConfig } from './config.ts'
import { connectRedis } from './connect.ts'

type Settings = Parameters<typeof redisConfig.parse>[0] & object

/** Whatever a password here is: it begins so, and is never shown. */
const secret = (name: string) => `Hidden-${name}`

async function fails(settings: Settings, sentence: RegExp, limitMs?: number): Promise<void> {
  await assert.rejects(connectRedis(redisConfig.parse(settings), limitMs), (error: Error) => {
    assert.ok(error instanceof UsageError, String(error))
    assert.match(error.message, sentence)
    assert.match(error.message, /^[^\n]*[^.]\.$/)
    assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), /Hidden/)
    return true
  })
}

async function works(settings: Settings): Promise<void> {
  const client = await connectRedis(redisConfig.parse(settings))
  assert.equal(await client.ping(), 'PONG')
  client.disconnect()
}

const users = [
  ...['--requirepass', secret('default')],
  ...['--user', 'crawler', 'on', `>${secret('crawler')}`, '~orbweaver:*', '+@all', '-@dangerous', '+info'],
  ...['--user', 'guest', 'on', `>${secret('guest')}`, '~other:*', '+@all', '-@dangerous', '+info'],
]

/** The same users, and TLS on a second port. */
async function startTls(t: TestContext, certificates: Certificates, authClients: 'yes' | 'no', more: string[] = []) {
  const { certificateFile, keyFile, caFile } = certificates
  const [tlsPort] = await freePorts(1)
  const tls = ['--tls-port', `${tlsPort}`, '--tls-auth-clients', authClients]
  const files = ['--tls-cert-file', certificateFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', caFile]
  const engine = await ownEngine(t, () => startRedis({ settings: [...users, ...tls, ...files, ...more] }))
  return engine && { engine, url: engine.url, tlsUrl: `rediss://127.0.0.1:${tlsPort}`, tlsPort: tlsPort! }
}

test('Redis with passwords and users: the right ones are taken, each fault is one sentence', async (t) => {
  await using redis = await ownEngine(t, () => startRedis({ settings: users }))
  if (!redis) return
  const { url } = redis
  const password = secret('default')
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-redis-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, `${password}\n`)
  await works({ url, password })
  await works({ url, passwordFile })
  await works({ url: url.replace('//', `//:${password}@`) })
  await works({ url, user: 'crawler', password: secret('crawler') })
  await works({ url: url.replace('//', `//crawler:${secret('crawler')}@`) })

  const refused = /it refuses user or password \(engines\.redis\.user, \.password, \.passwordFile\)\.$/
  await fails({ url }, /it wants a password \(engines\.redis\.password or \.passwordFile\)\.$/)
  await fails({ url, password: secret('guess') }, refused)
  await fails({ url: url.replace('//', `//:${secret('guess')}@`) }, refused)
  await fails({ url, user: 'nobody', password }, refused)
  await fails(
    { url, passwordFile: '/nowhere/password' },
    /^engines\.redis\.passwordFile cannot be read: ENOENT.*password/,
  )
  await fails(
    { url, user: 'guest', password: secret('guest') },
    /its user may not do all that a fleet does \(engines\.redis\.user needs ~orbweaver:\* \+@all -@dangerous \+info\)/,
  )
})

test('what a user of Redis is said to need is enough for a frontier', async (t) => {
  await using redis = await ownEngine(t, () => startRedis({ settings: users }))
  if (!redis) return
  const client = await connectRedis(redisConfig.parse({ url: redis.url, user: 'crawler', password: secret('crawler') }))
  t.after(() => client.disconnect())
  const { options } = await testFleet(client, 2, 'orbweaver')
  const frontier = new RedisFrontier(options)
  const host = 'one.test' as HostKey
  const url = 'https://one.test/' as CanonicalUrl
  const page: Candidate = { url, host, band: 'high', depth: 0, parent: null, redirects: 0 }
  assert.deepEqual(await frontier.offer([page]), ['admitted'])
  const [lease] = (await frontier.lease(1, 1)).leases
  await frontier.renew(lease!, 0)
  await frontier.settle(lease!, [{ url, kind: 'done' }])
  await frontier.release(lease!, { touchedMsAgo: 0, pace: lease!.pace })
  assert.equal(await frontier.finished(), true)
})

test('a password that is changed while we work stops the crawl with one sentence', async (t) => {
  await using redis = await ownEngine(t, () => startRedis({ settings: users }))
  if (!redis) return
  const client = await connectRedis(redisConfig.parse({ url: redis.url, password: secret('default') }))
  t.after(() => client.disconnect())
  const frontier = new RedisFrontier((await testFleet(client, 2)).options)
  await frontier.counts()
  const operator = new Redis(redis.url, { password: secret('default') })
  await operator.config('SET', 'requirepass', secret('new'))
  await operator.call('CLIENT', 'KILL', 'TYPE', 'normal')
  operator.disconnect()
  await assert.rejects(frontier.counts(), (error: Error) => {
    assert.ok(error instanceof UsageError, inspect(error))
    assert.match(
      error.message,
      /^Redis no longer lets us do our work \(WRONGPASS .*\.password, then resume the crawl\.$/,
    )
    assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), /Hidden/)
    return true
  })
})

test('a master that was deposed is connected anew, so that its name leads to its successor', async (t) => {
  await using redis = await ownEngine(t, () => startRedis())
  if (!redis) return
  const client = (await connectRedis(redisConfig.parse({ url: redis.url }))) as Redis
  t.after(() => client.disconnect())
  const before = await client.client('ID')
  await client.replicaof('127.0.0.1', 1)
  await assert.rejects(client.set('k', 'v'), /READONLY/)
  await client.replicaof('NO', 'ONE')
  assert.equal(await client.set('k', 'v'), 'OK')
  assert.ok(Number(await client.client('ID')) > Number(before))
})

test('Redis by TLS: certificates are checked, each fault is one sentence', async (t) => {
  using certificates = makeCertificates()
  const redis = await startTls(t, certificates, 'no')
  if (!redis) return
  await using _ = redis.engine
  const { url, tlsUrl } = redis
  const { caFile, strangeCaFile } = certificates
  const password = secret('default')
  await works({ url: tlsUrl, password, caFile })
  await works({ url: tlsUrl.replace('127.0.0.1', 'localhost'), password, caFile })
  await works({ url: tlsUrl.replace('rediss', 'redis'), tls: true, password, caFile })

  const untrusted = /its certificate is not trusted \(name its authority in engines\.redis\.caFile\)\.$/
  await fails({ url: tlsUrl, password }, untrusted)
  await fails({ url: tlsUrl, password, caFile: strangeCaFile }, untrusted)
  await fails({ url: tlsUrl, password: secret('guess'), caFile }, /refuses user or password/)
  await fails({ url: tlsUrl, password, caFile: '/nowhere/ca.pem' }, /^engines\.redis\.caFile cannot be read: ENOENT/)
  await fails({ url: tlsUrl, password, caFile: '/dev/null' }, /^engines\.redis\.caFile holds no certificate in PEM/)
  await fails(
    { url: tlsUrl.replace('rediss', 'redis'), password },
    /it broke the connection off: it may want TLS \(engines\.redis\.tls, or rediss:\/\/ in \.url\)\.$/,
  )
  await fails({ url, tls: true, password }, /does not speak TLS \(engines\.redis\.tls, rediss:\/\/ in \.url\)\.$/, 500)
})

test('Redis that knows its clients by certificate', async (t) => {
  using certificates = makeCertificates()
  const redis = await startTls(t, certificates, 'yes')
  if (!redis) return
  await using _ = redis.engine
  const { caFile, certificateFile, keyFile } = certificates
  const settings = { url: redis.tlsUrl, password: secret('default'), caFile }
  await works({ ...settings, certificateFile, keyFile })
  await fails(settings, /it wants a certificate of ours.* \(engines\.redis\.certificateFile, \.keyFile\)/)
  await fails({ ...settings, certificateFile, keyFile: '/nowhere' }, /^engines\.redis\.keyFile cannot be read/)
})

test('a Redis Cluster with a password, by TLS', async (t) => {
  using certificates = makeCertificates()
  const busPort = (await freePorts(1))[0]!
  // Alone, a node does not learn from others under which address it is known.
  const asCluster = ['--cluster-enabled', 'yes', '--cluster-port', `${busPort}`, '--tls-cluster', 'yes']
  asCluster.push('--cluster-announce-ip', '127.0.0.1')
  const redis = await startTls(t, certificates, 'no', asCluster)
  if (!redis) return
  await using _ = redis.engine
  const password = secret('default')
  const node = new Redis(redis.url, { password })
  await node.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  while (!String(await node.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) await node.ping()
  node.disconnect()

  const { caFile, strangeCaFile } = certificates
  const settings = { cluster: [`127.0.0.1:${redis.tlsPort}`], password, caFile }
  const client = await connectRedis(redisConfig.parse(settings))
  t.after(() => client.disconnect())
  await Promise.all(Array.from({ length: 20 }, (_, n) => client.set(`orbweaver:${n}`, n)))
  assert.equal(await client.get('orbweaver:7'), '7')

  await works({ ...settings, user: 'crawler', password: secret('crawler') })
  await fails({ ...settings, password: '' }, /it wants a password \(engines\.redis\.password/)
  await fails({ ...settings, password: secret('guess') }, /it refuses user or password \(engines\.redis\.user/)
  await fails({ ...settings, caFile: strangeCaFile }, /its certificate is not trusted \(.* engines\.redis\.caFile\)/)
  await fails({ ...settings, caFile: '' }, /it may want TLS \(engines\.redis\.tls/)
})
