import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { ownEngine, startRedisCluster } from '../../../test/engines.ts'
import { audit } from '../../frontier/adapters/redis/audit.fixture.ts'
import { RedisFrontier } from '../../frontier/adapters/redis/redis-frontier.ts'
import { testFleet } from '../../frontier/adapters/redis/test-redis-frontier.ts'
import type { Candidate } from '../../frontier/frontier.ts'
import type { CanonicalUrl, HostKey } from '../../url/keys.ts'
import { redisConfig } from './config.ts'
import { connectRedis } from './connect.ts'
import { Courier } from './courier.ts'

const pages: readonly Candidate[] = Array.from({ length: 1000 }, (_, n) => {
  const host = `host-${n % 50}.test` as HostKey
  const url = `https://${host}/${n}` as CanonicalUrl
  return { url, host, band: 'medium', depth: 0, parent: null, redirects: 0 }
})

test('a Cluster with a password: a master that falls silent is given up for its replica', async (t) => {
  await using engine = await ownEngine(t, startRedisCluster)
  if (!engine) return
  const password = 'Hidden'
  for (const setting of ['masterauth', 'requirepass'])
    for (const { url } of engine.nodes) {
      const node = new Redis(url)
      await node.config('SET', setting, password)
      node.disconnect()
    }
  const cluster = engine.url.split(',')
  const refused = connectRedis(redisConfig.parse({ cluster, password: 'Hidden-guess' }))
  await assert.rejects(
    refused,
    /\(Cluster\) cannot be used: it refuses user or password \(engines\.redis\.user[^\n]*\.$/,
  )

  const client = await connectRedis(redisConfig.parse({ cluster, password, timeoutMs: 1000 }))
  t.after(() => client.disconnect())
  const { options } = await testFleet(client, 16)
  const frontier = new RedisFrontier({ ...options, recentUrls: 0 })
  await frontier.offer(pages.slice(0, 500))
  process.kill(engine.nodes[0]!.pid, 'SIGSTOP')
  const answers = await frontier.offer(pages.slice(500))
  assert.ok(answers.every((answer) => answer === 'admitted' || answer === 'known'))
  // What had not reached the replica is found again, as pages that link to it are.
  await frontier.offer(pages)
  assert.equal((await frontier.counts()).admitted, pages.length)
  await audit(options)
})

test('a courier tells that another node of a Cluster has taken over, and then no more', async (t) => {
  await using engine = await ownEngine(t, startRedisCluster)
  if (!engine) return
  const client = await connectRedis(redisConfig.parse({ cluster: engine.url.split(',') }))
  t.after(() => client.disconnect())
  const courier = new Courier({ client })
  let told = 0
  courier.onNewEngine(() => told++)
  const keys = Array.from({ length: 60 }, (_, n) => `key ${n}`)
  const setAll = () => Promise.all(keys.map((key) => courier.ask({ keys: [key], command: 'SET', args: ['x'] })))
  for (let times = 0; times < 3; times++) await setAll()
  assert.equal(told, 0, 'to speak to a node for the first time is no news')
  const replica = new Redis(engine.nodes[3]!.url)
  t.after(() => replica.disconnect())
  await replica.call('CLUSTER', 'FAILOVER')
  while (!`${await replica.role()}`.startsWith('master')) await sleep(20)
  // What the client knows of the nodes it learns as it goes.
  for (let times = 0; times < 50 && told === 0; times++) {
    await setAll()
    await sleep(100)
  }
  assert.ok(told > 0)
  await sleep(1000)
  await setAll()
  told = 0
  for (let times = 0; times < 3; times++) await setAll()
  assert.equal(told, 0)
})

test('a Cluster that comes back to work while we connect is connected to', async (t) => {
  await using engine = await ownEngine(t, startRedisCluster)
  if (!engine) return
  const nodes = engine.nodes.map(({ url }) => new Redis(url))
  t.after(() => {
    for (const node of nodes) node.disconnect()
  })
  const untilState = async (state: string) => {
    for (const node of nodes)
      while (!`${await node.cluster('INFO')}`.includes(`cluster_state:${state}`)) await sleep(20)
  }
  for (const node of nodes) await node.call('CLUSTER', 'DELSLOTS', '0')
  await untilState('fail')
  const connecting = connectRedis(redisConfig.parse({ cluster: engine.url.split(',') }), 20_000)
  // Time to see for itself that there is nothing to connect to.
  await sleep(500)
  await nodes[0]!.call('CLUSTER', 'ADDSLOTS', '0')
  await untilState('ok')
  const client = await connecting
  t.after(() => client.disconnect())
  assert.equal(await client.set('any', 'thing'), 'OK')
})
