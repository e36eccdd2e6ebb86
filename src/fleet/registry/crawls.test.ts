import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemClock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import { somePrefix, testRedises } from '../../engines/redis/test-redis.ts'
import { type CrawlOrders, crawlRegistry, orderIn } from './crawls.ts'
import { registryKeys } from './keys.ts'

const clock = systemClock()
const orders: CrawlOrders = { seeds: ['https://a.test/', 'https://b.test/'], config: { limits: {} }, createdAt: 7 }

for (const { name, skip, connect } of testRedises)
  describe(`${name}: registry of crawls`, { skip }, () => {
    test('a crawl is read back with its orders, and runs', async (t) => {
      const crawls = crawlRegistry(await connect(t), somePrefix(), clock)
      await crawls.create('news', orders)
      const entry = await crawls.get('news')
      assert.deepEqual(entry?.orders, orders)
      assert.deepEqual([entry.state, entry.detail, entry.seedCount, entry.createdAt], ['running', '', 2, 7])
      assert.equal(await crawls.get('other'), undefined)
    })

    test('entering a crawl twice changes nothing, another one under its id is refused', async (t) => {
      const crawls = crawlRegistry(await connect(t), somePrefix(), clock)
      await crawls.create('news', orders)
      await crawls.setState('news', 'paused')
      await crawls.create('news', orders)
      assert.equal((await crawls.get('news'))?.state, 'paused')
      await assert.rejects(crawls.create('news', { ...orders, createdAt: 8 }), {
        name: 'UsageError',
        message: 'A crawl "news" exists already in this fleet: choose another id, or follow that one.',
      })
    })

    test('of two that enter different crawls under one id at the same moment one is refused', async (t) => {
      const crawls = crawlRegistry(await connect(t), somePrefix(), clock)
      const both = await Promise.allSettled([1, 2].map((createdAt) => crawls.create('news', { ...orders, createdAt })))
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    })

    test('crawls are listed with the newest first, past one page', async (t) => {
      const crawls = crawlRegistry(await connect(t), somePrefix(), clock)
      const ids = Array.from({ length: 250 }, (_, i) => `crawl-${i}`)
      await Promise.all(ids.map((id, i) => crawls.create(id, { ...orders, createdAt: i })))
      assert.deepEqual(
        (await crawls.list()).map(({ id }) => id),
        ids.toReversed(),
      )
      assert.equal((await crawls.list(120)).length, 120)
    })

    test('only crawls that have not ended are active', async (t) => {
      const crawls = crawlRegistry(await connect(t), somePrefix(), clock)
      for (const [i, state] of (
        ['finished', 'stopped', 'failed', 'paused', 'stopping', 'running'] as const
      ).entries()) {
        await crawls.create(state, { ...orders, createdAt: i })
        await crawls.setState(state, state)
      }
      const ids = async () => (await crawls.active()).map(({ id }) => id)
      assert.deepEqual(await ids(), ['paused', 'stopping', 'running'])
      await crawls.setState('stopped', 'running')
      assert.deepEqual(await ids(), ['stopped', 'paused', 'stopping', 'running'])
    })

    test('a state is changed only from the states that are expected', async (t) => {
      const crawls = crawlRegistry(await connect(t), somePrefix(), clock)
      await crawls.create('news', orders)
      assert.equal(await crawls.setState('news', 'paused', 'by hand'), 'changed')
      assert.equal(await crawls.setState('news', 'paused', 'by hand'), 'unchanged')
      assert.equal(await crawls.setState('news', 'finished', '', { from: ['running', 'stopping'] }), 'refused')
      assert.equal(await crawls.setState('nothing', 'running'), 'unknown')
      const { state, detail } = (await crawls.get('news'))!
      assert.deepEqual([state, detail], ['paused', 'by hand'])
    })

    test('who works by an older order ends nothing that was begun anew or amended since', async (t) => {
      const crawls = crawlRegistry(await connect(t), somePrefix(), clock)
      await crawls.create('news', orders)
      const finish = (order: string) => crawls.setState('news', 'finished', '', { from: ['running'], order })
      const first = orderIn((await crawls.get('news'))!)
      assert.equal(await finish(first), 'changed')
      assert.equal(await finish(first), 'unchanged')
      await crawls.setState('news', 'running')
      assert.equal(await finish(first), 'refused')
      const second = orderIn((await crawls.get('news'))!)
      await crawls.amend('news', {})
      assert.equal(await finish(second), 'refused')
      assert.equal(await finish(orderIn((await crawls.get('news'))!)), 'changed')
    })

    test('who no longer leads changes nothing', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const crawls = crawlRegistry(client, prefix, clock)
      await crawls.create('news', orders)
      await client.set(registryKeys(prefix).leaderTerm, '1800000000001')
      assert.equal(await crawls.setState('news', 'finished', '', { term: 1_800_000_000_000 }), 'deposed')
      assert.equal(await crawls.setState('news', 'finished', '', { term: 1_800_000_000_001 }), 'changed')
    })

    test('whoever watches sees every crawl that begins and ends, and nothing while nothing changes', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const crawls = crawlRegistry(client, prefix, clock)
      const stop = new AbortController()
      const seen: string[] = []
      const watching = (async () => {
        for await (const active of crawls.watch(stop.signal, 5)) seen.push(active.map(({ id }) => id).join())
      })()
      await until(() => seen.length === 1)
      await crawls.create('news', orders)
      await until(() => seen.length === 2)
      await crawls.setState('news', 'finished')
      await until(() => seen.length === 3)
      await crawls.setState('news', 'finished')
      await clock.sleep(30)
      stop.abort()
      await watching
      assert.deepEqual(seen, ['', 'news', ''])
    })

    test('an engine that has forgotten its last writes does not repeat a version', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const crawls = crawlRegistry(client, prefix, clock)
      await crawls.create('one', orders)
      const before = await crawls.version()
      await client.del(registryKeys(prefix).crawlsVersion)
      await clock.sleep(2)
      await crawls.create('two', orders)
      assert.ok((await crawls.version()) > before)
    })

    test('keys of another kind or format are answered with one clear sentence', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const keys = registryKeys(prefix)
      const crawls = crawlRegistry(client, prefix, clock)
      await client.set(keys.crawl('text'), 'x')
      await client.hset(keys.crawl('future'), { format: '2', orders: 'x', state: 'running' })
      await client.hset(keys.crawl('garbage'), { format: '1', orders: 'x', state: 'running' })
      await client.hset(keys.crawl('state'), { format: '1', orders: 'x', state: 'dancing' })
      for (const id of ['text', 'future', 'garbage', 'state'])
        await assert.rejects(crawls.get(id), strange(keys.crawl(id)), id)
      await assert.rejects(crawls.create('text', orders), strange(keys.crawl('text')))
      await client.set(keys.activeCrawls, 'x')
      await assert.rejects(crawls.active(), strange(keys.activeCrawls))
    })

    test('an id that cannot stand in a key is refused', async (t) => {
      const crawls = crawlRegistry(await connect(t), somePrefix(), clock)
      for (const id of ['', '{a}', 'a b', '../x', 'a'.repeat(65)])
        await assert.rejects(crawls.create(id, orders), UsageError, id)
    })
  })

function strange(key: string) {
  const message = `Redis key "${key}" holds something that this version of Orbweaver does not understand: choose another engines.redis.prefix, or delete the key.`
  return { name: 'UsageError', message }
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = clock.now() + 5000
  while (!holds() && clock.now() < deadline) await clock.sleep(2)
  assert.ok(holds())
}
