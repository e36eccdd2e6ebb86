import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../../../clock.ts'
import { Outbox } from '../../../engines/kafka/outbox.ts'
import { type FrontierUnderTest, frontierConformance } from '../../frontier.conformance.ts'
import { arrived, candidate, joinCrawl, newPlace, skip } from './test-kafka-frontier.ts'

frontierConformance('kafka', openUnderTest, { skip: skip || undefined, crash: null })

async function openUnderTest(): Promise<FrontierUnderTest> {
  let now = 1_700_000_000_000
  const clock: Clock = { now: () => now, sleep: async () => {} }
  const crawl = await joinCrawl(newPlace({ shards: 1 }), 1000, { clock, engineTime: () => now })
  let frontier = await crawl.open()
  return {
    get frontier() {
      return frontier
    },
    advance(ms) {
      now += ms
    },
    async reopen() {
      await frontier[Symbol.asyncDispose]()
      frontier = await crawl.open()
    },
    arrive: () => arrived(frontier),
    async crash() {},
    async [Symbol.asyncDispose]() {
      await frontier[Symbol.asyncDispose]()
      await crawl[Symbol.asyncDispose]()
    },
  }
}

test('what is offered is carried, and a moment later known without asking anybody', { skip }, async () => {
  await using crawl = await joinCrawl(newPlace(), 1000)
  await using frontier = await crawl.open(false)
  assert.deepEqual(await frontier.offer([candidate('a.test', '1'), candidate('a.test', '1')]), ['carried', 'known'])
  const { batches } = frontier
  assert.deepEqual(await frontier.offer([candidate('a.test', '1')]), ['known'])
  assert.equal(frontier.batches, batches)
})

test('offers of one turn, and of those who wait, go together', { skip }, async () => {
  await using crawl = await joinCrawl(newPlace(), 1000)
  await using frontier = await crawl.open(false)
  const offers = Array.from({ length: 200 }, (_, n) => frontier.offer([candidate(`h${n}.test`, 'x')]))
  await Promise.all(offers)
  assert.ok(frontier.batches <= 2, `${frontier.batches} batches`)
  // A batch of which a broker took only a part was sent again.
  assert.ok((await frontier.lag()).waiting >= 200)
})

test('a crawl is not finished while anything is carried, though nobody has admitted it yet', { skip }, async () => {
  await using crawl = await joinCrawl(newPlace(), 0)
  await using offering = await crawl.open(false)
  assert.equal(await offering.finished(), true)
  await offering.offer([candidate('a.test', '1')])
  assert.equal(await offering.finished(), false)
  assert.ok((await offering.underWay()) > 0, 'so nothing is given up for want of other work')
  await using member = await crawl.open()
  await arrived(member)
  assert.equal(await offering.finished(), false)
  const [lease] = (await member.lease(1, 1)).leases
  await member.settle(lease!, [{ url: lease!.requests[0]!.url, kind: 'done' }])
  await member.release(lease!, { touchedMsAgo: 0, pace: lease!.pace })
  assert.equal(await offering.finished(), true)
})

test('a chain that hops from host to host is never taken for finished', { skip }, async () => {
  await using crawl = await joinCrawl(newPlace(), 0)
  await using working = await crawl.open()
  await using watching = await crawl.open(false)
  const length = 60
  let [reached, polls] = [0, 0]
  await working.offer([candidate('h0.test', '0')])
  const watched = (async () => {
    while (!(await watching.finished())) polls++
    return reached
  })()
  while (reached < length)
    for (const lease of (await working.lease(5, 5)).leases) {
      reached++
      if (reached < length) await working.offer([candidate(`h${reached}.test`, `${reached}`)])
      await working.settle(lease, [{ url: lease.requests[0]!.url, kind: 'done' }])
      await working.release(lease, { touchedMsAgo: 0, pace: lease.pace })
    }
  assert.equal(await watched, length)
  assert.equal((await working.counts()).done, length)
  assert.ok(polls > 0)
})

test('a slow host holds up nobody of its partition', { skip }, async () => {
  await using crawl = await joinCrawl(newPlace({ shards: 1 }), 3_600_000)
  await using frontier = await crawl.open()
  await frontier.offer(Array.from({ length: 2000 }, (_, n) => candidate('slow.test', `${n}`)))
  await arrived(frontier)
  const [slow] = (await frontier.lease(1, 1)).leases
  await frontier.release(slow!, { touchedMsAgo: 0, pace: slow!.pace, hold: { ms: 3_600_000, reason: 'retry-after' } })
  await frontier.offer([
    ...Array.from({ length: 500 }, (_, n) => candidate('slow.test', `more${n}`)),
    candidate('a.test', ''),
  ])
  await arrived(frontier)
  assert.deepEqual(
    (await frontier.lease(10, 10)).leases.map(({ host }) => host),
    ['a.test'],
  )
})

test('letters that are not ours are passed over', { skip }, async () => {
  await using crawl = await joinCrawl(newPlace(), 1000)
  await using frontier = await crawl.open()
  await using outbox = new Outbox(crawl.kafka, { now: Date.now, sleep: async () => {} })
  const topic = `test-urls.${crawl.place.crawl}.urls.low`
  for (const value of ['', '{', '[1]', '["http://a.test/","a.test",0,null]'])
    await outbox.send([{ topic, partition: 0, key: 'x', value }])
  await frontier.offer([candidate('a.test', '1')])
  await arrived(frontier)
  assert.equal((await frontier.counts()).admitted, 1)
})
