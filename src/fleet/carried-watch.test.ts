import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clock, systemClock } from '../clock.ts'
import { arrived, candidate, joinCrawl, newPlace, skip, until } from '../frontier/adapters/kafka/test-kafka-frontier.ts'
import { CarriedWatch } from './carried-watch.ts'

test('what Kafka carries is asked for beside those who look, and again when it is old', { skip }, async () => {
  await using crawl = await joinCrawl(newPlace(), 1000)
  await using offering = await crawl.open(false)
  await offering.offer([candidate('a.test', '1', 'high'), candidate('b.test', '2')])
  let skippedMs = 0
  const clock: Clock = { ...systemClock(), now: () => Date.now() + skippedMs }
  const lines: string[] = []
  await using watch = new CarriedWatch({ kafka: crawl.kafka, clock, log: (line) => lines.push(line) })
  const name = crawl.place.crawl
  assert.equal(watch.latest(name), null, 'nobody waits for Kafka')
  await until(() => watch.latest(name) !== null, 'it was not told')
  // A batch of which a broker took only a part was sent again.
  const { high, medium, low } = watch.latest(name)!
  assert.ok(high >= 1 && medium === 0 && low >= 1, `${high}, ${medium}, ${low}`)
  await using member = await crawl.open()
  await arrived(member)
  skippedMs = 60_000
  await until(() => watch.latest(name)?.low === 0, 'it was not asked again')
  assert.deepEqual(lines, [])
})

test('brokers that are away make it unknown, and are complained of once', { skip }, async () => {
  await using crawl = await joinCrawl(newPlace(), 1000)
  const { kafka } = crawl
  await kafka.admin.close()
  const lines: string[] = []
  let now = 0
  const clock: Clock = { now: () => (now += 10_000), sleep: async () => {} }
  await using watch = new CarriedWatch({ kafka, clock, log: (line) => lines.push(line) })
  await until(() => watch.latest(crawl.place.crawl) === null && lines.length > 0, 'nobody complained')
  for (let looks = 0; looks < 20; looks++) {
    assert.equal(watch.latest(crawl.place.crawl), null)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  assert.equal(lines.length, 1)
})
