import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineFor } from '../../../../test/engines.ts'
import type { HostKey } from '../../../url/keys.ts'
import type { HostSort } from '../../ledger.ts'
import { HostCensus } from './host-census.ts'
import { HostNames } from './host-names.ts'
import { RedisFrontier } from './redis-frontier.ts'
import { redisLedger } from './redis-ledger.ts'
import { connectForTest, testFleet } from './test-redis-frontier.ts'

const { url, skip = false } = engineFor('redis')
const sorts: readonly HostSort[] = ['urls', 'queued', 'done', 'dead', 'excluded', 'name', 'gap', 'next']

test('of many hosts the same are found, in the same order, as of few', { skip }, async () => {
  const client = await connectForTest(url!)
  try {
    const { options } = await testFleet(client, 4)
    await using frontier = new RedisFrontier(options)
    for (let n = 0; n < 300; n++) {
      const host = `${n % 3 === 0 ? 'shop' : 'news'}.${(n * 7919) % 1000}.test` as HostKey
      const paths = Array.from({ length: 1 + (n % 5) }, (_, path) => `http://${host}/${path}`)
      const refusal = n % 11 === 0 ? { refusal: 'trap' } : {}
      await frontier.offer(
        paths.map((url) => ({ url, host, band: 'low', depth: 0, parent: null, redirects: 0, ...refusal }) as never),
      )
    }
    for (const [n, lease] of (await frontier.lease(40, 2)).leases.entries()) {
      const kind = n % 2 === 0 ? ({ kind: 'done' } as const) : ({ kind: 'dead', reason: 'reset' } as const)
      await frontier.settle(lease, [{ url: lease.requests[0]!.url, ...kind }])
      await frontier.release(lease, { touchedMsAgo: n, pace: { ...lease.pace, gapMs: 500 + n } })
    }
    await using few = redisLedger(options)
    await using many = redisLedger({ ...options, fewHosts: 0 })
    for (const sort of sorts)
      for (const order of ['asc', 'desc'] as const)
        for (const search of ['', 'shop', '.test', '99', 'nowhere'])
          for (const offset of [0, 20]) {
            const query = { search, sort, order, offset, limit: 30 }
            const { ageMs, ...found } = await many.findHosts(query)
            const { ageMs: _, ...expected } = await few.findHosts(query)
            assert.deepEqual(found, expected, JSON.stringify(query))
            assert.equal(ageMs, 0)
          }
  } finally {
    client.disconnect()
  }
})

test('hosts are told as they are now, in an order that is as old as it says', { skip }, async () => {
  const client = await connectForTest(url!)
  try {
    const { options, time } = await testFleet(client, 2)
    await using frontier = new RedisFrontier(options)
    const offer = (host: string, path: string) =>
      frontier.offer([
        { url: `http://${host}/${path}`, host, band: 'low', depth: 0, parent: null, redirects: 0 } as never,
      ])
    await offer('one.test', 'a')
    await offer('two.test', 'a')
    // Each look at the clock takes a quarter of a second: so did the census, which is good for twenty times that.
    const clock = { now: () => (time.now += 250), sleep: () => new Promise<void>(() => {}) }
    await using ledger = redisLedger({ ...options, fewHosts: 0, clock })
    const query = { search: '', sort: 'urls', order: 'desc', offset: 0, limit: 10 } as const
    const names = async () => (await ledger.findHosts(query)).hosts.map(({ host }) => host)
    assert.deepEqual(await names(), ['one.test', 'two.test'])
    await offer('two.test', 'b')
    const { hosts, ageMs } = await ledger.findHosts(query)
    assert.deepEqual(
      hosts.map(({ host, counts }) => [host, counts.admitted]),
      [
        ['one.test', 1],
        ['two.test', 2],
      ],
    )
    assert.ok(ageMs > 0)
    time.now += 60_000
    await names()
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.deepEqual(await names(), ['two.test', 'one.test'], 'the next was taken meanwhile')
  } finally {
    client.disconnect()
  }
})

test('names are found by any part of them, and by no part of two', () => {
  const names = new HostNames()
  const all = Array.from({ length: 5000 }, (_, n) => `h${n}.bücher.test`)
  for (const name of all) names.add(name)
  assert.equal(names.at(4321), 'h4321.bücher.test')
  for (const part of ['h49', 'bücher', '0.b', 'test', 'testh1', '\n'])
    assert.deepEqual(
      [...names.containing(part)],
      all.flatMap((name, n) => (name.includes(part) ? [n] : [])),
      part,
    )
})

test('a census of a hundred thousand hosts answers with no more than it was asked for', async () => {
  const census = new HostCensus()
  for (let n = 0; n < 100_000; n++) census.add(`h${String(n).padStart(6, '0')}.test\t${n % 7}\t0\t0\t0\t0\t1000\t0`)
  const answer = await census.find({ search: '', sort: 'urls', order: 'desc', offset: 1000, limit: 2 })
  assert.deepEqual(answer, { total: 100_000, hosts: ['h007006.test', 'h007013.test'] })
})
