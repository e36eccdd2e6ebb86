import { setTimeout as sleep } from 'node:timers/promises'
import { joinCrawl, type TestPlace } from './test-kafka-frontier.ts'

// A member in a process of its own, to be killed: leases hosts and never settles them. Says whenever it holds more.
const place = JSON.parse(process.argv[2]!) as TestPlace
const crawl = await joinCrawl(place, 0)
const frontier = await crawl.open()
for (let held = 0; ; ) {
  held += (await frontier.lease(3, 2)).leases.length
  process.send?.({ held, owned: frontier.ownedShards.length })
  await sleep(50)
}
