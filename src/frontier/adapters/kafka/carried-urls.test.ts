import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../../clock.ts'
import { openCarriedUrls } from './carried-urls.ts'
import { arrived, candidate, joinCrawl, newPlace, skip } from './test-kafka-frontier.ts'

test('what is carried is told by band, until it is admitted', { skip }, async () => {
  await using crawl = await joinCrawl(newPlace(), 1000)
  await using carried = await openCarriedUrls(crawl.kafka, crawl.place.crawl, systemClock())
  assert.deepEqual(await carried.byBand(), { high: 0, medium: 0, low: 0 })
  await using offering = await crawl.open(false)
  await offering.offer([candidate('a.test', '1', 'high'), candidate('a.test', '2'), candidate('b.test', '3')])
  // A batch of which a broker took only a part was sent again.
  const { high, medium, low } = await carried.byBand()
  assert.ok(high >= 1 && medium === 0 && low >= 2, `${high}, ${medium}, ${low}`)
  await using member = await crawl.open()
  await arrived(member)
  assert.deepEqual(await carried.byBand(), { high: 0, medium: 0, low: 0 })
})
