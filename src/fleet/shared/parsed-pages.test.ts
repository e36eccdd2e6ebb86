import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { engineFor } from '../../../test/engines.ts'
import { redisConfig } from '../../engines/redis/config.ts'
import { connectRedis } from '../../engines/redis/connect.ts'
import { Courier } from '../../engines/redis/courier.ts'
import { openShards } from '../../engines/redis/shards.ts'
import { fetchedPage } from '../../stream/stream.conformance.ts'
import type { FetchedPage } from '../../stream/stream.ts'
import { loadFingerprint } from '../../url/keys.ts'
import { parsedPages } from './parsed-pages.ts'

const engine = engineFor('redis')
const copy = { copies: 1, 'refused.out-of-scope': 3 }

function fetchedAgain(page: FetchedPage, startedAt: number, isRevisit = false): FetchedPage {
  return { ...page, request: { ...page.request, isRevisit }, exchange: { ...page.exchange, startedAt } }
}

test('what a page brings counts once, however often and by whomever it is parsed', {
  skip: engine.skip ?? false,
}, async () => {
  const client = await connectRedis(redisConfig.parse({ url: engine.url }))
  try {
    const prefix = `t${randomBytes(6).toString('hex')}`
    const fingerprint = await loadFingerprint()
    const shards = openShards(prefix, 4, fingerprint)
    const parsers = [1, 2, 3].map(() =>
      parsedPages({ courier: new Courier({ client }), shards, crawl: 'c', fingerprint }),
    )
    const page = fetchedPage('a.test', 1)
    const sums = async () => {
      const counts = await client.hgetall(shards.crawlKey(shards.of(page.host), 'c', 'counts'))
      return Object.fromEntries(Object.entries(counts).map(([name, value]) => [name.replace('sum:', ''), value]))
    }

    await Promise.all(parsers.map((parser) => parser.addOnce(page, copy)))
    assert.deepEqual(await sums(), { copies: '1', 'refused.out-of-scope': '3' })

    await parsers[0]!.addOnce(fetchedAgain(page, 2000), copy)
    assert.deepEqual((await sums()).copies, '1', 'fetched again, since who fetched it first died')

    await parsers[0]!.addOnce(fetchedPage('a.test', 2), copy)
    assert.deepEqual((await sums()).copies, '2')

    const revisit = fetchedAgain(page, 3000, true)
    await Promise.all(parsers.map((parser) => parser.addOnce(revisit, copy)))
    assert.deepEqual((await sums()).copies, '3', 'each revisit counts')
  } finally {
    client.disconnect()
  }
})
