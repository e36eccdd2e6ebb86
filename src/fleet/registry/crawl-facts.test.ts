import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemClock } from '../../clock.ts'
import { somePrefix, testRedises } from '../../engines/redis/test-redis.ts'
import { crawlFacts, MAX_LIST } from './crawl-facts.ts'
import { registryKeys } from './keys.ts'

const clock = systemClock()

for (const { name, skip, connect } of testRedises)
  describe(`${name}: facts of a crawl`, { skip }, () => {
    test('a fact is known to all who work on the crawl, and to no other crawl', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      await crawlFacts(client, prefix, 'news', clock).set('began', 12)
      assert.equal(await crawlFacts(client, prefix, 'news', clock).get('began'), '12')
      assert.equal(await crawlFacts(client, prefix, 'news', clock).get('ended'), undefined)
      assert.equal(await crawlFacts(client, prefix, 'other', clock).get('began'), undefined)
    })

    test('values are appended once, in order, and read from any place on', async (t) => {
      const facts = crawlFacts(await connect(t), somePrefix(), 'news', clock)
      assert.equal(await facts.append('scope.widened', 'b.test'), true)
      assert.equal(await facts.append('scope.widened', 'a.test'), true)
      assert.equal(await facts.append('scope.widened', 'b.test'), false)
      assert.deepEqual(await facts.list('scope.widened'), ['b.test', 'a.test'])
      assert.deepEqual(await facts.list('scope.widened', 1), ['a.test'])
      assert.deepEqual(await facts.list('scope.widened', 2), [])
    })

    test('a list does not grow without bound', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const facts = crawlFacts(client, prefix, 'news', clock)
      const members = Array.from({ length: MAX_LIST }, (_, i) => [String(i), `${i}`]).flat()
      await client.zadd(registryKeys(prefix).crawlList('news', 'hosts'), ...members)
      assert.equal((await facts.list('hosts')).length, MAX_LIST)
      await assert.rejects(facts.append('hosts', 'one more'), {
        name: 'UsageError',
        message: 'The list "hosts" of crawl "news" is full: it holds 10000 values.',
      })
    })

    test('a key of another kind is answered with one clear sentence', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const facts = crawlFacts(client, prefix, 'news', clock)
      await client.set(registryKeys(prefix).crawlFacts('news'), 'x')
      await client.set(registryKeys(prefix).crawlList('news', 'hosts'), 'x')
      const { get, set, append, list } = facts
      for (const ask of [() => get('a'), () => set('a', 1), () => append('hosts', 'a'), () => list('hosts')])
        await assert.rejects(ask, /holds something that this version of Orbweaver does not understand/)
    })
  })
